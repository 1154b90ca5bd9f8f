"""Pages that fill what they share with others: as fast as they can, and without end."""

BIG = "const big = 'x'.repeat(1e5)"
HUGE = "const big = 'x'.repeat(1e6)"
BLOB = "URL.createObjectURL(new Blob([`{}`]))"
FRAME = "const f = document.body.appendChild(document.createElement('iframe'))"


def script(body: str) -> str:
    """A script that begins when the page is there, so that opening it is no part of the attack."""
    return f"<script>setTimeout(() => {{ {body} }}, 300)</script>"


def often(body: str, setup: str = "", times: int = 1000) -> str:
    """So many times in each turn, and turn after turn."""
    return script(f"{setup}; setInterval(() => {{ for (let i = 0; i < {times}; i++) {{ {body} }} }})")


def worker(body: str, kind: str = "Worker") -> str:
    """In a worker."""
    return script(f"new {kind}({BLOB.format(body)})")


POLICY = '<meta http-equiv=Content-Security-Policy content="{}">'
LOUD = "const big = 'x'.repeat(1e4); for (;;) console.log(big)"
NESTED = f"new Worker({BLOB.format(LOUD)})".replace("`", "'").replace("'x'", '"x"')
GL = """const c = document.createElement('canvas'), g = c.getContext('webgl'); if (!g) return; all.push(c);
  g.bindTexture(g.TEXTURE_2D, g.createTexture()); c.width = c.height = 4000; g.clear(g.COLOR_BUFFER_BIT);
  g.texImage2D(g.TEXTURE_2D, 0, g.RGBA, 4000, 4000, 0, g.RGBA, g.UNSIGNED_BYTE, null)"""
DATABASE = """const q = indexedDB.open('d');
  q.onupgradeneeded = () => q.result.createObjectStore('s', {autoIncrement: true});
  q.onsuccess = () => setInterval(() => q.result.transaction('s', 'readwrite').objectStore('s').add('x'.repeat(1e6)))"""
CHANNEL = f"{BIG}; const b = new BroadcastChannel('b'); new BroadcastChannel('b')"
ICON = f"{BIG}; const l = document.createElement('link'); l.rel = 'icon'; document.head.append(l)"
BOMB = f"{BIG}; const a = document.createElement('a'); a.download = 'x'"

PAGES = {
    "console": script(LOUD),
    "console, objects": often("console.dir({a: [1, 2, {b: i}]})"),
    "console of a frame": often("f.contentWindow.console.error(big)", f"{BIG}; {FRAME}"),
    "console of a worker": worker(LOUD),
    "console of a shared worker": worker(LOUD, "SharedWorker"),
    "console of a worker's worker": worker(NESTED),
    "errors": often("queueMicrotask(() => { throw new Error(big) })", BIG),
    "rejections": often("Promise.reject(new Error(big))", BIG),
    "errors of a worker": worker("for (;;) reportError(new Error('x'.repeat(1e5)))"),
    "policy": POLICY.format("script-src 'unsafe-inline'") + often("try { eval('1') } catch {}"),
    "pictures refused": POLICY.format("img-src 'none'") + often("new Image().src = '/' + i"),
    "messages of a frame": often("f.contentWindow.postMessage(big, '*')", f"{BIG}; {FRAME}", 100),
    "channel": often("b.postMessage(big)", CHANNEL, 100),
    "history": often("try { history.pushState(big, '', '/' + i) } catch {}", HUGE, 10),
    "addresses": often("location.hash = big + i", HUGE, 10),
    "an address of 100 MB": script("location = '/?' + 'x'.repeat(1e8)"),
    "titles": often("document.title = big + i", BIG, 100),
    "a title of 100 MB": script("document.title = 'x'.repeat(1e8)"),
    "name": often("name = big + i", HUGE, 10),
    "icons": often("l.href = 'data:image/png,' + big + i", ICON, 100),
    "downloads": often("a.href = URL.createObjectURL(new Blob([big])); a.click()", BOMB, 10),
    "marks": often("performance.mark('m' + i, {detail: big})", BIG),
    "sockets": often("new WebSocket('ws://site.test/' + i)", times=20),
    "requests": often("fetch('/' + i, {method: 'POST', body: big}).catch(() => 0)", BIG, 20),
    "beacons": often("navigator.sendBeacon('/' + i, 'x'.repeat(6e4))", times=20),
    "storage": often("try { localStorage['k' + i] = big + Math.random() } catch {}", BIG, 40),
    "database": script(DATABASE),
    "cookies": often("document.cookie = 'c' + i + '=' + 'x'.repeat(3000)", times=100),
    "elements": often("document.body.append(Object.assign(document.createElement('button'), {textContent: 'b' + i}))"),
    "frames": often(FRAME, times=5),
    "canvases": script(f"const all = []; setInterval(() => {{ {GL} }})"),
    "buffers": script("const all = []; setInterval(() => all.push(new Uint8Array(1e7).fill(1)))"),
    "blobs": script("const all = []; setInterval(() => all.push(new Blob([new Uint8Array(1e7)])))"),
    "clipboard": often("navigator.clipboard?.writeText(big).catch(() => 0); document.execCommand('copy')", BIG, 20),
    "workers": often("new Worker(URL.createObjectURL(new Blob(['1'])))", times=5),
    "a loop": script("for (;;);"),
}

TELLS = "(/native code/.test(Function.prototype.toString.call({}.log)) ? 'native' : 'silent')"
OWN = TELLS.format("console")
FRAMES = ("", "f.srcdoc = 'x'", "f.src = 'javascript:1'")
MADE = ";".join(
    f"{{ const f = document.createElement('iframe'); {how}; document.body.append(f);"
    f" say({TELLS.format('f.contentWindow.console')}) }}"
    for how in FRAMES
)
WORKERS = f"""const nested = "postMessage({OWN.replace("'", "`")})";
  new Worker({
    BLOB.format(
        "${nested}; new Worker(URL.createObjectURL(new Blob([${JSON.stringify(nested)}])))"
        ".onmessage = e => postMessage(e.data)"
    )
}).onmessage = e => say(e.data)"""
# Says of the console of the page, of frames, a window, a worker and its worker, and a shared worker what it is.
SILENT = f"""<title>t</title><body><script>const said = [];
  const say = what => said.push(what) == 8 && (document.title = 'done ' + said); say({OWN});
  {MADE}; say({TELLS.format("open('about:blank').console")}); {WORKERS};
  const s = new SharedWorker(URL.createObjectURL(new Blob([`onconnect = e => e.ports[0].postMessage({OWN})`])));
  s.port.onmessage = e => say(e.data); s.port.start()</script>"""
