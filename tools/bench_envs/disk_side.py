"""The least that a durable step can cost: a server that does nothing for it but one `fdatasync`.

`disk_side.py PORT FILE` speaks as much WebSocket as the load does and writes a page of FILE for each message, as
PostgreSQL writes its log (16 MiB made beforehand, a page written over and over until it is full). It replies when that
is on the disk.
"""

import os
import select
import socket
import sys

_PAGE, _PAGES, _FILL = 8192, 2048, 12
_ACCEPTED = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"


def serve(port: int, path: str) -> None:
    """Until it is ended."""
    disk = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    os.write(disk, bytes(_PAGE * _PAGES))
    os.fsync(disk)
    watched = select.epoll()
    # Connections with how many messages each has sent; the first asks for a new episode.
    lines: dict[int, tuple[socket.socket, int]] = {}
    stored, page = 0, bytes(_PAGE)
    with socket.create_server(("127.0.0.1", port)) as listening:
        watched.register(listening, select.EPOLLIN)
        while True:
            for number, _ in watched.poll():
                if number == listening.fileno():
                    line, _ = listening.accept()
                    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    watched.register(line, select.EPOLLIN)
                    lines[line.fileno()] = line, -1
                    continue
                line, steps = lines[number]
                heard = line.recv(1 << 16)
                if not heard:
                    watched.unregister(line)
                    del lines[number]
                    line.close()
                elif heard.startswith(b"GET"):
                    line.sendall(_ACCEPTED)
                else:
                    os.pwrite(disk, page, stored // _FILL % _PAGES * _PAGE)
                    os.fdatasync(disk)
                    stored += 1
                    lines[number] = line, steps + 1
                    text = b'{"data":{"observation":{"text":"word","number":%d},"done":false}}' % (steps + 1)
                    line.send(bytes((0x81, len(text))) + text)


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2])
