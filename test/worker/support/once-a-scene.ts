/** For laws about the same scenes: a seed gives each law the same ones, and playing one takes most of the time. */
import fc from "fast-check";

/** Plays each scene once; a law must not change what was played. */
export function onceAScene<Scene, Played>(play: (scene: Scene) => Promise<Played>): typeof play {
  const played = new Map<string, Promise<Played>>();
  return (scene) => {
    const name = fc.stringify(scene);
    const known = played.get(name) ?? play(scene);
    played.set(name, known);
    return known;
  };
}
