import { objectOf, type JsonObject } from '../fidelity/json.ts'

/** A field: a body that has it, and the same one without it. */
export interface Probe {
  readonly field: string
  readonly body: JsonObject
  readonly base: JsonObject
}

/** A stream that has an event, and the same one without it. */
export interface EventProbe {
  readonly event: string
  readonly stream: string
  readonly base: string
}

/** All that one protocol says in bodies. */
export interface Probes {
  readonly requests: readonly Probe[]
  readonly answers: readonly Probe[]
}

type Build = (members: JsonObject) => JsonObject

/** One probe per member: what is built with it, against what is built without. */
export function probesOf(prefix: string, build: Build, members: JsonObject, always: JsonObject = {}): Probe[] {
  return Object.entries(members).map(([member, value]) => ({
    field: `${prefix}${member}`,
    body: build({ ...always, [member]: value }),
    base: written(build({ ...always, [member]: undefined })),
  }))
}

/** As it stands on a wire, where nothing is undefined. */
function written(body: JsonObject): JsonObject {
  return objectOf(JSON.parse(JSON.stringify(body)))
}
