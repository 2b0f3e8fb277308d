// The four corners of the board over the camera's picture: dragged by mouse and finger, moved by keys, under a magnifier.

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 10; // steps of a key with Shift
const MAGNIFIED = 4; // times as large as on the page
const PARTS = 4; // of a side between two lines while corners are dragged: more would hide the board

/** Where corners begin that nobody has found: well inside the picture. */
const INSET = 0.15;

/** The stage; `points` are `[x, y]` in the picture's own pixels, clockwise from the top left of the grid. */
export class Corners {
  constructor(stage, moved) {
    this.points = [];
    this.image = stage.querySelector("img");
    this.moved = moved;
    this.drawing = stage.querySelector("svg");
    this.magnifier = stage.querySelector("canvas");
    this.handles = [...stage.querySelectorAll(".handle")];
    this.handles.forEach((handle, i) => this.watch(handle, i));
    this.image.addEventListener("load", () => this.draw());
  }

  /** Show a picture with its size, the corners found in it (null: none) and the lines of the grid. */
  show(address, [width, height], corners, lines) {
    [this.width, this.height, this.lines] = [width, height, lines];
    const [x, y] = [INSET * width, INSET * height];
    this.points = (corners ?? [[x, y], [width - x, y], [width - x, height - y], [x, height - y]]).map((point) => this.inside(point));
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    Object.assign(this.image, { src: address, width, height });
    this.draw();
  }

  watch(handle, i) {
    let grip = null;
    handle.addEventListener("pointerdown", (press) => {
      press.preventDefault(); // or the browser begins a drag of its own, which cancels this one
      handle.focus({ preventScroll: true });
      handle.setPointerCapture(press.pointerId);
      const [x, y] = this.under(press);
      grip = [this.points[i][0] - x, this.points[i][1] - y];
    });
    handle.addEventListener("pointermove", (move) => {
      if (!grip) return;
      const [x, y] = this.under(move);
      this.put(i, [x + grip[0], y + grip[1]]);
    });
    for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, () => (grip = null));
    handle.addEventListener("keydown", (press) => {
      const step = STEPS[press.key];
      if (!step) return;
      press.preventDefault();
      const far = (press.shiftKey ? FAR : 1) * this.scale();
      this.put(i, this.points[i].map((at, axis) => at + far * step[axis]));
      document.getElementById("place-at").textContent = `${handle.ariaLabel}: ${this.points[i].map(Math.round).join(", ")}`;
    });
    handle.addEventListener("focus", () => this.magnify(i));
    handle.addEventListener("blur", () => (this.magnifier.hidden = true));
  }

  // Pixels of the picture in one of the page's.
  scale() {
    return this.width / this.image.clientWidth;
  }

  under({ clientX, clientY }) {
    const box = this.image.getBoundingClientRect();
    return [(clientX - box.left) * this.scale(), (clientY - box.top) * this.scale()];
  }

  inside([x, y]) {
    return [Math.min(Math.max(x, 0), this.width - 1), Math.min(Math.max(y, 0), this.height - 1)];
  }

  put(i, point) {
    this.points[i] = this.inside(point);
    this.lines = null;
    this.draw();
    this.magnify(i);
    this.moved();
  }

  draw() {
    const path = (this.lines?.length ? this.lines : lattice(this.points)).map(polyline).join("");
    this.drawing.querySelectorAll("path").forEach((line) => line.setAttribute("d", path));
    this.handles.forEach((handle, i) => {
      handle.style.left = `${(100 * this.points[i][0]) / this.width}%`;
      handle.style.top = `${(100 * this.points[i][1]) / this.height}%`;
    });
  }

  // The surroundings of a corner, enlarged, in the part of the stage that is farthest from it.
  magnify(i) {
    const { magnifier, image } = this;
    const [x, y] = this.points[i];
    magnifier.hidden = false;
    magnifier.classList.toggle("at-right", x < this.width / 2);
    magnifier.classList.toggle("at-bottom", y < this.height / 2);
    const side = magnifier.clientWidth;
    const dense = window.devicePixelRatio;
    magnifier.width = magnifier.height = side * dense;
    const pen = magnifier.getContext("2d");
    const zoom = (MAGNIFIED * dense) / this.scale(); // canvas pixels in one of the picture's
    pen.translate((side * dense) / 2, (side * dense) / 2);
    pen.scale(zoom, zoom);
    pen.translate(-x, -y);
    if (image.complete && image.naturalWidth) pen.drawImage(image, 0, 0, this.width, this.height);
    for (const [color, width] of [["#000c", 3.5], ["#00d0ff", 1.5]]) {
      pen.strokeStyle = color;
      pen.lineWidth = (width * dense) / zoom;
      pen.beginPath();
      for (const beside of [(i + 3) % 4, (i + 1) % 4]) {
        pen.moveTo(x, y);
        pen.lineTo(...this.points[beside]);
      }
      pen.stroke();
    }
  }
}

function polyline(points) {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

// Every few lines of a square grid whose corners are there: the plane seen in perspective, after Heckbert 1989.
function lattice([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const area = dx1 * dy2 - dx2 * dy1;
  const [g, h] = [(sx * dy2 - dx2 * sy) / area, (dx1 * sy - sx * dy1) / area];
  const at = (u, v) => {
    const w = g * u + h * v + 1;
    return [(x0 + (x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v) / w, (y0 + (y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v) / w];
  };
  return Array.from({ length: PARTS + 1 }, (_, k) => k / PARTS).flatMap((t) => [[at(t, 0), at(t, 1)], [at(0, t), at(1, t)]]);
}
