// The map beside the panel: squares are drawn from the site's own shapes, nothing is asked of anybody else.
const COLOURS = {
  main: ["#e07b39", 4], road: ["#e8b84a", 3], street: ["#ffffff", 3], path: ["#b07050", 1], river: ["#7fb3dd", 2],
  rail: ["#777777", 1], green: ["#c8e6b0"], wood: ["#a5cf95"], water: ["#9cc9ea"], settled: ["#e3ded6"],
  building: ["#d3c4b4"],
};
const ORDER = ["settled", "green", "wood", "water", "building", "river", "path", "street", "road", "main", "rail"];

function paint(canvas, shapes, zoom) {
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#f2efe9";
  pen.fillRect(0, 0, 256, 256);
  pen.lineCap = pen.lineJoin = "round";
  shapes.sort((a, b) => ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]));
  for (const [kind, area, , line] of shapes) {
    if (kind === "label") continue;
    pen.beginPath();
    for (let i = 0; i < line.length; i += 2) pen[i ? "lineTo" : "moveTo"](line[i], line[i + 1]);
    if (area) {
      pen.fillStyle = COLOURS[kind][0];
      pen.fill();
      continue;
    }
    const width = COLOURS[kind][1] * (zoom >= 16 ? 2 : 1);
    if (kind === "street") {
      pen.strokeStyle = "#c9c3b8";
      pen.lineWidth = width + 2;
      pen.stroke();
    }
    pen.strokeStyle = COLOURS[kind][0];
    pen.lineWidth = width;
    pen.stroke();
  }
  label(pen, shapes.filter(([kind]) => kind === "label" || zoom >= 15));
}

function label(pen, shapes) {
  pen.textAlign = "center";
  pen.lineWidth = 3;
  for (const [kind, , name, line] of shapes) {
    const middle = Math.floor(line.length / 4) * 2;
    const [x, y] = [line[middle], line[middle + 1]];
    if (!name || x < -40 || y < -40 || x > 296 || y > 296) continue;
    pen.font = kind === "label" ? "bold 13px sans-serif" : "11px sans-serif";
    pen.strokeStyle = "#ffffff";
    pen.strokeText(name, x, y);
    pen.fillStyle = "#333333";
    pen.fillText(name, x, y);
  }
}

const Squares = L.GridLayer.extend({
  createTile(at, done) {
    const canvas = L.DomUtil.create("canvas");
    canvas.width = canvas.height = 256;
    canvas.setAttribute("aria-hidden", "true");
    fetch(`/tiles/${at.z}/${at.x}/${at.y}.json`)
      .then((answer) => (answer.ok ? answer.json() : []))
      .then((shapes) => { paint(canvas, shapes, at.z); done(null, canvas); })
      .catch((error) => done(error, canvas));
    return canvas;
  },
});

const place = document.getElementById("map");
const data = JSON.parse(place.dataset.map);
// Nothing moves by itself: what is seen is the same whenever it is looked at.
const still = { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false };
const map = L.map(place, { ...still, minZoom: 6, maxZoom: 18, attributionControl: false });
L.control.attribution({ prefix: false }).addAttribution(data.attribution).addTo(map);
L.control.scale({ imperial: false }).addTo(map);
const icon = L.icon({
  iconUrl: "/static/images/marker-icon.png", iconRetinaUrl: "/static/images/marker-icon-2x.png",
  shadowUrl: "/static/images/marker-shadow.png", iconSize: [25, 41], iconAnchor: [12, 41], popupAnchor: [1, -34],
});
const marks = data.markers.map(([lat, lon, title]) => L.marker([lat, lon], { icon, title, alt: title }));
const shown = L.featureGroup(marks);
if (data.line.length) shown.addLayer(L.polyline(data.line, { color: "#1b5fd0", weight: 5, opacity: 0.8 }));
const bounds = marks.length || data.line.length ? shown.getBounds() : L.latLngBounds(data.bounds);
map.fitBounds(bounds, { padding: [40, 40], maxZoom: 16, animate: false });
new Squares().addTo(map);
shown.addTo(map);
