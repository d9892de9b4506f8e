import {
  filled,
  flag,
  isFuture,
  list,
  matching,
  object,
  oneOf,
  only,
  optional,
  refuse,
  nonEmpty,
  string,
  within,
  type Wire,
} from './refuse.ts'
import type { SealRules } from './seal-rules.ts'

export const NAME = /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/
const MIME =
  /^(application\/pdf|audio\/(mpeg|mp3|wav)|image\/(png|jpeg|webp)|text\/plain|video\/(mov|mpeg|mp4|mpg|avi|wmv|mpegps|flv|x-ms-wmv))$/
const DATA = 'text inlineData fileData functionCall functionResponse executableCode codeExecutionResult'
const BESIDE = 'thought thoughtSignature videoMetadata mediaResolution'

/** The media types that a part may have: an upstream accepts a list, a client any. */
export type Side = 'upstream' | 'client'

/** Throws if the other side cannot accept the part. Returns its data field; undefined for an unknown one. */
export function acceptPart(value: unknown, path: string, side: Side, rules: SealRules): string | undefined {
  const part = object(value, path)
  only(part, `${DATA} ${BESIDE} ${isFuture(part['type']) ? 'type' : ''}`, path)
  const fields = DATA.split(' ').filter((name) => part[name] !== undefined)
  if (fields.length > 1) refuse(path, `oneof field 'data' is already set: ${fields.join(', ')}`)
  const [field] = fields
  if (field === undefined && Object.keys(part).length === 0) refuse(path, 'must have one initialized field')
  optional(part['thought'], (thought) => flag(thought, `${path}.thought`))
  optional(part['thoughtSignature'], (signature) => acceptSeal(string(signature, path), part, path, rules))
  optional(part['videoMetadata'], (clip) => acceptClip(object(clip, `${path}.videoMetadata`), `${path}.videoMetadata`))
  optional(part['mediaResolution'], (value) => acceptResolution(value, `${path}.mediaResolution`))
  if (field !== undefined) CHECK_OF[field]?.(part[field], `${path}.${field}`, side, part, rules)
  return field
}

function acceptSeal(signature: string, part: Wire, path: string, rules: SealRules): void {
  nonEmpty(signature, `${path}.thoughtSignature`)
  const text = typeof part['text'] === 'string' ? part['text'] : ''
  if (rules.signed(signature, text) || rules.issued(signature)) return
  refuse(`${path}.thoughtSignature`, 'Thought signature is not valid.')
}

function acceptClip(clip: Wire, path: string): void {
  only(clip, 'startOffset endOffset fps', path)
  for (const member of ['startOffset', 'endOffset']) {
    optional(clip[member], (value) => matching(value, /^\d+(\.\d+)?s$/, `${path}.${member}`))
  }
  optional(clip['fps'], (fps) => within(fps, 0, 24, `${path}.fps`))
}

function acceptResolution(value: unknown, path: string): void {
  const resolution = object(value, path)
  only(resolution, 'level numTokens', path)
  matching(resolution['level'], /^MEDIA_RESOLUTION_(UNSPECIFIED|LOW|MEDIUM|HIGH|ULTRA_HIGH)$/, `${path}.level`)
}

type Check = (value: unknown, path: string, side: Side, part: Wire, rules: SealRules) => void

const CHECK_OF: { readonly [field: string]: Check } = {
  text(value, path, _side, part) {
    if (string(value, path) === '' && part['thoughtSignature'] === undefined) refuse(path, 'must not be empty')
  },
  inlineData(value, path, side) {
    const data = object(value, path)
    only(data, 'mimeType data displayName', path)
    nonEmpty(data['data'], `${path}.data`)
    if (side === 'upstream') matching(data['mimeType'], MIME, `${path}.mimeType`)
    optional(data['displayName'], (name) => string(name, `${path}.displayName`))
  },
  fileData(value, path, side) {
    const data = object(value, path)
    only(data, 'mimeType fileUri displayName', path)
    nonEmpty(data['fileUri'], `${path}.fileUri`)
    if (side === 'upstream') optional(data['mimeType'], (mime) => matching(mime, MIME, `${path}.mimeType`))
  },
  functionCall(value, path) {
    const call = object(value, path)
    only(call, 'id name args', path)
    optional(call['id'], (id) => nonEmpty(id, `${path}.id`))
    matching(call['name'], NAME, `${path}.name`)
    object(call['args'], `${path}.args`)
  },
  functionResponse(value, path, side, _part, rules) {
    const result = object(value, path)
    only(result, 'id name response parts scheduling willContinue', path)
    optional(result['id'], (id) => nonEmpty(id, `${path}.id`))
    matching(result['name'], NAME, `${path}.name`)
    object(result['response'], `${path}.response`)
    optional(result['parts'], (parts) => {
      for (const [index, part] of filled(parts, `${path}.parts`).entries()) {
        oneOf(
          acceptPart(part, `${path}.parts.${index}`, side, rules),
          ['inlineData', 'fileData'],
          `${path}.parts.${index}`,
        )
      }
    })
  },
  executableCode(value, path) {
    const code = object(value, path)
    only(code, 'language code id', path)
    nonEmpty(code['language'], `${path}.language`)
    string(code['code'], `${path}.code`)
  },
  codeExecutionResult(value, path) {
    const result = object(value, path)
    only(result, 'outcome output id', path)
    matching(result['outcome'], /^OUTCOME_[A-Z_]+$/, `${path}.outcome`)
    optional(result['output'], (output) => string(output, `${path}.output`))
  },
}

/** A turn of a conversation and its parts. */
export interface Turn {
  readonly role: unknown
  readonly calls: readonly string[]
  readonly results: readonly string[]
  /** It begins with a content that has results. */
  readonly answers: boolean
  readonly path: string
}

export function acceptContent(value: unknown, path: string, rules: SealRules): Turn {
  const content = object(value, path)
  only(content, 'role parts', path)
  oneOf(content['role'], ['user', 'model'], `${path}.role`)
  const parts = filled(content['parts'], `${path}.parts`).map((part, index) => object(part, `${path}.parts.${index}`))
  for (const [index, part] of parts.entries()) {
    const field = acceptPart(part, `${path}.parts.${index}`, 'upstream', rules)
    const role =
      field === 'functionResponse' ? 'user' : field === 'functionCall' || part['thought'] === true ? 'model' : undefined
    if (role !== undefined && content['role'] !== role)
      refuse(`${path}.parts.${index}`, `${field} is only allowed in a ${role} turn`)
  }
  const names = (field: string) => list(parts, path).flatMap((part) => nameIn(object(part, path)[field]))
  const results = names('functionResponse')
  return { role: content['role'], calls: names('functionCall'), results, answers: results.length > 0, path }
}

function nameIn(value: unknown): string[] {
  return value === undefined ? [] : [String(object(value, 'data')['name'])]
}
