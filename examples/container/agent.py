"""A container's program with nothing but Python.

    heldout container start examples/container --command "python3 agent.py" --model my-agent -b demo-arb -s dev ...

It answers questions by asking the run's endpoint, and plays episodes by saying what the model says.
"""

import http.client
import json
import os
import socket


class Service(http.client.HTTPConnection):
    """The service, on the socket that HELDOUT_SOCKET names."""

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(os.environ["HELDOUT_SOCKET"])

    def ask(self, method, path, body=None):
        """The JSON of a reply; a refusal ends the program."""
        self.request(method, path, json.dumps(body) if body is not None else None)
        reply = self.getresponse()
        content = reply.read()
        if reply.status >= 400:
            raise SystemExit(f"{path}: {reply.status} {content.decode()}")
        return json.loads(content) if content else None


def main():
    service = Service("service")

    def model(text):
        reply = service.ask("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": text}]})
        return reply["choices"][0]["message"]["content"]

    while problems := service.ask("GET", "/v1/problems")["items"]:
        for problem in problems:
            choices = "\n".join(f"{choice['label']}) {choice['text']}" for choice in problem["choices"])
            answer = model("\n\n".join([problem["statement"], choices, problem["answer_format"]]))
            service.ask("POST", "/v1/answers", {"problem": problem["id"], "answer": answer})
    while episodes := service.ask("GET", "/v1/episodes")["items"]:
        for episode in episodes:
            session = service.ask("POST", "/v1/sessions", {"problem": episode["id"]})
            seen, number = session["instruction"] + "\n" + session["observation"]["text"], session["steps"]
            while True:
                number += 1
                step = {"number": number, "action": {"text": model(seen)}}
                told = service.ask("POST", f"/v1/sessions/{session['id']}/steps", step)
                if told["finish_reason"]:
                    break
                seen = told["observation"]["text"]


if __name__ == "__main__":
    main()
