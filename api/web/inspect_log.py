"""An episode as a log of Inspect (its JSON form, version 2), for `inspect view` and what reads such logs."""

from typing import Any

from api.sessions.schemas import SessionPublic, TranscriptStep
from api.sessions.trajectories import TrajectoryAccess


def inspect_log(where: TrajectoryAccess, shown: SessionPublic) -> dict[str, Any]:
    """One sample with the observations as messages of the user and the actions as messages of the model."""
    model = where.model_name or "unknown"
    identity = where.name or shown.problem
    transcript = shown.transcript or []
    messages = [{"role": "user", "content": shown.instruction, "source": "input"}]
    for step in transcript:
        messages += _messages(step)
    last = next((one["content"] for one in reversed(messages) if one["role"] == "assistant"), "")
    completion = shown.answer or last
    began, ended = where.started_at.isoformat(), (where.ended_at or where.started_at).isoformat()
    sample: dict[str, Any] = {
        "id": identity,
        "epoch": 1,
        "input": shown.instruction,
        "target": "",
        "messages": messages,
        "output": {
            "model": model,
            "choices": [{"message": {"role": "assistant", "content": completion}, "stop_reason": "stop"}],
        },
        "metadata": {"session": shown.id, "finish_reason": shown.finish_reason, "steps": shown.steps},
        "scores": {},
    }
    if shown.verdict is not None and shown.verdict.score is not None:
        sample["scores"]["heldout"] = {
            "value": shown.verdict.score,
            "answer": completion,
            "explanation": shown.verdict.reason,
        }
    task = f"heldout/{where.slug}"
    return {
        "version": 2,
        "status": "success" if where.ended_at else "started",
        "eval": {
            "run_id": shown.id,
            "created": began,
            "task": task,
            "task_id": shown.id,
            "task_version": 0,
            "task_args": {"split": where.split, "version": where.version},
            "dataset": {"name": f"{where.slug}/{where.split}", "samples": 1, "sample_ids": [identity]},
            "model": model,
            "config": {},
        },
        "plan": {"name": "plan", "steps": []},
        "results": {"total_samples": 1, "completed_samples": 1 if where.ended_at else 0, "scores": []},
        "stats": {"started_at": began, "completed_at": ended, "model_usage": {}},
        "samples": [sample],
    }


def _messages(step: TranscriptStep) -> list[dict[str, Any]]:
    """The action and what was observed after it."""
    found: list[dict[str, Any]] = []
    if step.action is not None:
        message: dict[str, Any] = {"role": "assistant", "content": step.action.text or "", "source": "generate"}
        if step.action.tool is not None:
            call = {"id": f"call-{step.number}", "function": step.action.tool.name, "type": "function"}
            message["tool_calls"] = [call | {"arguments": step.action.tool.arguments}]
        found.append(message)
    seen: list[dict[str, Any]] = [{"type": "text", "text": step.error or step.observation.text}]
    seen += [{"type": "image", "image": f"data:image/png;base64,{data}"} for data in step.observation.images.values()]
    answered = step.action is not None and step.action.tool is not None
    after = {"role": "tool", "tool_call_id": f"call-{step.number}"} if answered else {"role": "user"}
    return [*found, after | {"content": seen}]
