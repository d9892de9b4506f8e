import { objectOf, type JsonObject } from '../fidelity/json.ts'

/** A field: a body with it, and the same body without it. */
export interface Probe {
  readonly field: string
  readonly body: JsonObject
  readonly base: JsonObject
}

/** A stream with an event, and the same stream without it. */
export interface EventProbe {
  readonly event: string
  readonly stream: string
  readonly base: string
}

/** All fields of the bodies of one protocol. */
export interface Probes {
  readonly requests: readonly Probe[]
  readonly answers: readonly Probe[]
}

type Build = (members: JsonObject) => JsonObject

/** One probe per member: the body with it, compared with the body without it. */
export function probesOf(prefix: string, build: Build, members: JsonObject, always: JsonObject = {}): Probe[] {
  return Object.entries(members).map(([member, value]) => ({
    field: `${prefix}${member}`,
    body: build({ ...always, [member]: value }),
    base: written(build({ ...always, [member]: undefined })),
  }))
}

/** A value as on the wire, without undefined members. */
function written(body: JsonObject): JsonObject {
  return objectOf(JSON.parse(JSON.stringify(body)))
}
