import { ColorManagement, LinearSRGBColorSpace, Scene, Vector2, WebGLRenderer } from "three";
import type { Clip } from "../motion/clip";
import { touchingAt } from "../motion/contacts";
import { effectorsOf } from "../motion/figure";
import { wholeFrame } from "../state/playback";
import type { Viewer, ViewerStore } from "../state/viewer";
import { ballsOf, ballsThroughout, type Ball } from "./cameras";
import { ClayLight, TO_KEY } from "./clay";
import { FigureView } from "./figureView";
import { Ground, gridCell } from "./ground";
import { LabelLayer } from "./labelLayer";
import { Marks } from "./marks";
import { PALETTES } from "./palette";
import { Picker } from "./picker";
import { judge, pixelRatio, startQuality } from "./quality";
import { CameraRig } from "./rig";
import { GroundShadow, shadowArea } from "./shadow";
import { Trails } from "./trails";

const PIXEL_BUDGET = 3840 * 2160;
const REST_MS = 160;

// All materials here are our own and speak in displayed colours.
ColorManagement.enabled = false;

interface Actor {
  readonly figure: FigureView;
  readonly trails: Trails;
  readonly marks: Marks | null;
}

/**
 * The viewport: draws the state of a store, whenever that changes and not otherwise. It owns the only clock of the
 * page: while the state says that it plays, every picture sends a `tick`.
 */
export class Stage {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly cameraRig: CameraRig;
  private readonly light = new ClayLight();
  private readonly shadow: GroundShadow;
  private readonly labels: LabelLayer;
  private readonly picker: Picker;
  private readonly software: boolean;
  private ground: Ground | null = null;
  private actors: Actor[] = [];
  private clips: readonly Clip[] = [];
  private drawn: Viewer | null = null;
  private shownView = -1;
  private quality = startQuality;
  private request = 0;
  private previous = 0;
  private restTimer = 0;
  private sharp = false;
  private size = { width: 1, height: 1 };
  private readonly stopWatching: (() => void)[] = [];

  constructor(private readonly canvas: HTMLCanvasElement, overlay: HTMLCanvasElement, private readonly store: ViewerStore) {
    // Without a graphics card four samples a pixel cost twice the time; there the picture at rest is made smooth.
    this.software = isSoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.software, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = false;
    this.shadow = this.software ? new GroundShadow(160, 1) : new GroundShadow(512, 3);
    this.cameraRig = new CameraRig(canvas, () => this.invalidate());
    this.labels = new LabelLayer(overlay);
    this.picker = new Picker(canvas, this.cameraRig.camera, {
      figure: () => this.actors[0]?.figure ?? null,
      hover: (joint) => this.store.dispatch({ type: "hover", joint }),
      select: (joint) => this.store.dispatch({ type: "select", joint }),
      centre: (x, y, z) => { this.cameraRig.centreOn(x, y, z, performance.now()); this.invalidate(); },
    });
    const watch = new ResizeObserver(() => this.resize());
    watch.observe(canvas.parentElement ?? canvas);
    this.stopWatching.push(() => watch.disconnect(), store.subscribe(() => this.invalidate()));
    canvas.addEventListener("webglcontextrestored", this.restored);
    this.resize();
  }

  /** The figure first, ghosts after it. The camera moves only when `reframe` is true. */
  setClips(clips: readonly Clip[], reframe: boolean): void {
    for (const actor of this.actors) {
      actor.figure.dispose();
      actor.trails.dispose();
      actor.marks?.dispose();
    }
    this.shadow.clear();
    this.clips = clips;
    this.actors = clips.map((clip, i) => {
      const figure = new FigureView(clip, i > 0, this.light);
      const trails = new Trails(clip, figure.sides, i > 0);
      const marks = i === 0 ? new Marks(clip) : null;
      this.scene.add(figure.group, trails.group);
      if (marks) this.scene.add(marks.group);
      return { figure, trails, marks };
    });
    this.drawn = null;
    this.picker.reset();
    const main = clips[0];
    if (main) {
      this.ground?.dispose();
      this.ground = new Ground(gridCell(main.height), this.shadow.texture, this.shadow.area);
      this.scene.add(this.ground.group);
      this.light.setFloor(main.ground, main.height);
      this.cameraRig.setScale(main.height);
      this.actors[0].figure.setFrame(this.store.get().playback.frame);
      if (reframe) {
        this.shownView = this.store.get().look.view.serial;
        const { view, follow } = this.store.get().look;
        this.cameraRig.view(view.preset, main, ballsThroughout(main, this.actors[0].figure.group.position, follow), null);
        this.cameraRig.anchor(this.actors[0].figure.pose);
      }
    }
    this.invalidate();
  }

  /** A picture is due. */
  invalidate(): void {
    if (this.request === 0) this.request = requestAnimationFrame(this.onFrame);
  }

  dispose(): void {
    cancelAnimationFrame(this.request);
    clearTimeout(this.restTimer);
    for (const stop of this.stopWatching) stop();
    this.canvas.removeEventListener("webglcontextrestored", this.restored);
    this.setClips([], false);
    cancelAnimationFrame(this.request);
    this.picker.dispose();
    this.cameraRig.dispose();
    this.ground?.dispose();
    this.shadow.dispose();
    this.renderer.dispose();
  }

  private readonly restored = () => this.invalidate();

  private readonly onFrame = (now: number) => {
    this.request = 0;
    const interval = now - this.previous;
    this.previous = now;
    const playing = this.store.get().playback.playing;
    // After a pause in drawing (a rest, a hidden tab) the time that has passed is nobody's motion.
    const seconds = interval < 250 ? interval / 1000 : 1 / 60;
    if (playing) {
      this.quality = judge(this.quality, interval);
      this.store.dispatch({ type: "tick", seconds });
    }
    const moving = this.draw(now, seconds, false);
    if (moving || this.store.get().playback.playing) {
      this.invalidate();
      clearTimeout(this.restTimer);
    } else this.restSoon();
  };

  /** When nothing has moved for a moment, one picture with all the pixels. */
  private restSoon(): void {
    clearTimeout(this.restTimer);
    if (this.sharp) return;
    this.restTimer = window.setTimeout(() => {
      if (this.request === 0) this.draw(performance.now(), 0, true);
    }, REST_MS);
  }

  private draw(now: number, seconds: number, resting: boolean): boolean {
    const state = this.store.get();
    const { look, playback } = state;
    const palette = PALETTES[look.theme];
    const before = this.drawn;
    this.drawn = state;
    const [main] = this.actors;
    const moved = before?.playback.frame !== playback.frame;
    this.placeGhosts(look.beside);
    this.actors.forEach(({ figure, trails }, i) => {
      const { clip } = figure;
      figure.group.visible = i === 0 || look.ghost;
      trails.group.visible = look.trails && figure.group.visible;
      // A ghost shows the same second, whatever its own rate.
      const frame = i === 0 ? playback.frame : (playback.frame / playback.rate) * clip.rate;
      if (moved || before === null) figure.setFrame(frame);
      figure.show(look.flesh, palette);
      if (trails.group.visible) {
        const extra = i === 0 && look.selected !== null ? [look.selected] : [];
        trails.show([...new Set([...effectorsOf(clip), ...extra])], palette);
      }
    });
    if (before?.look.theme !== look.theme || before === null) this.setTheme(look.theme === "light");
    if (main) this.drawMarks(main, state);
    if (before?.look.ghost !== look.ghost) this.castShadows(look.ghost);
    if (main && look.view.serial !== this.shownView) {
      this.shownView = look.view.serial;
      this.cameraRig.view(look.view.preset, main.figure.clip, this.visibleBalls(), now);
    }
    if (main) this.cameraRig.follow(main.figure.pose, look.follow, seconds, main.figure.clip.height);
    const moving = this.cameraRig.update(now);
    this.render(state, resting);
    return moving;
  }

  private render(state: Viewer, resting: boolean): void {
    const { width, height } = this.size;
    const level = resting ? 0 : this.quality.level;
    const most = resting ? Math.max(devicePixelRatio, this.software ? 1.5 : 2) : Math.min(devicePixelRatio, 2);
    const ratio = pixelRatio(level, width, height, most, PIXEL_BUDGET);
    if (Math.abs(ratio - this.renderer.getPixelRatio()) > 0.01) this.renderer.setPixelRatio(ratio);
    this.sharp = resting;
    const [main] = this.actors;
    if (main && this.ground) {
      const { clip } = main.figure;
      this.shadow.render(this.renderer, shadowArea(this.seen().map(({ pose, group }) => ({ points: pose.positions, shift: group.position })), TO_KEY, clip.ground, clip.height), clip.ground);
      const { x, z } = this.cameraRig.controls.target;
      this.ground.moveTo(x, z, clip.ground);
    }
    const drawing = this.renderer.getDrawingBufferSize(new Vector2());
    for (const { trails } of this.actors) if (trails.group.visible) trails.update(this.frameOf(trails, state), drawing.x, drawing.y, ratio);
    this.renderer.setClearColor(PALETTES[state.look.theme].horizon, 1);
    this.renderer.clear();
    this.renderer.render(this.scene, this.cameraRig.camera);
    this.renderer.info.reset();
    this.labels.draw(this.actors.map((a) => a.figure), this.cameraRig.camera, state.look, this.size);
  }

  private frameOf(trails: Trails, { playback }: Viewer): number {
    const i = this.actors.findIndex((actor) => actor.trails === trails);
    return i <= 0 ? playback.frame : (playback.frame / playback.rate) * this.clips[i].rate;
  }

  private drawMarks({ figure, marks }: Actor, { look, playback }: Viewer): void {
    const touching = touchingAt(figure.clip.contacts, wholeFrame(playback));
    figure.glow(look.contacts ? touching : [], look.selected, look.hovered, PALETTES[look.theme]);
    marks?.update(figure.pose, touching, look.contacts);
  }

  /** Ghosts stand in the figure's place, or in a row on its right. */
  private placeGhosts(beside: boolean): void {
    const [main] = this.clips;
    if (!main) return;
    const apart = beside ? main.height * 0.6 : 0;
    const [x, , z] = main.facing;
    this.actors.forEach(({ figure, trails }, i) => {
      for (const group of [figure.group, trails.group]) group.position.set(-z * apart * i, 0, x * apart * i);
    });
  }

  private castShadows(ghosts: boolean): void {
    this.shadow.clear();
    this.actors.forEach(({ figure }, i) => {
      if (i > 0 && !ghosts) return;
      this.shadow.cast(figure.caster, figure.joints, TO_KEY, figure.clip.height, i === 0 ? 1 : 0.45, figure.group.position);
    });
  }

  /** The figures that are to be seen. */
  private seen(): FigureView[] {
    const figures = this.actors.map((actor) => actor.figure);
    return this.store.get().look.ghost ? figures : figures.slice(0, 1);
  }

  private visibleBalls(): Ball[] {
    return this.seen().flatMap(({ clip, pose, group }) => ballsOf(clip, pose, group.position));
  }

  private setTheme(light: boolean): void {
    const palette = PALETTES[light ? "light" : "dark"];
    this.light.setPalette(palette);
    this.ground?.setPalette(palette);
    this.actors[0]?.marks?.setPalette(palette);
    this.labels.setTheme(light, palette);
  }

  private resize(): void {
    const box = (this.canvas.parentElement ?? this.canvas).getBoundingClientRect();
    this.size = { width: Math.max(1, Math.round(box.width)), height: Math.max(1, Math.round(box.height)) };
    this.renderer.setSize(this.size.width, this.size.height, false);
    this.labels.resize(this.size.width, this.size.height);
    this.cameraRig.resize(this.size.width, this.size.height);
    // At once: a canvas that has been resized is blank until it is drawn.
    if (this.drawn) this.draw(performance.now(), 0, false);
    this.invalidate();
  }
}

/** Whether pictures are made by the processor: asked of a context of its own, before the real one is made. */
function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return false;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
