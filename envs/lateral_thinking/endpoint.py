"""A chat model behind an OpenAI-compatible endpoint."""

import httpx2

from envs.base import InfrastructureError

SECONDS = 120.0


class ChatEndpoint:
    """`model.Model` over POST {url}/chat/completions; `url` goes up to and including /v1."""

    def __init__(self, url: str, name: str, key: str = "", client: httpx2.AsyncClient | None = None) -> None:
        self.name = name
        self._address = f"{url.rstrip('/')}/chat/completions"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = client or httpx2.AsyncClient(timeout=SECONDS)

    async def complete(self, system: str, user: str) -> str:
        """The text of the reply. Raises InfrastructureError for any that is none."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        body = {"model": self.name, "messages": messages, "temperature": 0, "max_tokens": 300}
        try:
            reply = await self._client.post(self._address, json=body, headers=self._headers)
        except httpx2.HTTPError as error:
            raise InfrastructureError(f"the host's endpoint cannot be reached: {type(error).__name__}") from error
        if reply.status_code != 200:
            raise InfrastructureError(f"the host's endpoint answered with status {reply.status_code}")
        try:
            content = reply.json()["choices"][0]["message"]["content"]
        except (ValueError, KeyError, IndexError, TypeError):
            content = None
        if not isinstance(content, str):
            raise InfrastructureError("the host's endpoint sent no chat completion")
        return content

    async def close(self) -> None:
        """End the connections."""
        await self._client.aclose()
