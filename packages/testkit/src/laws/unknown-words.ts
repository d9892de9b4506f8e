import { translate, type Json, type JsonObject, type Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import * as z from 'zod/v4/core'
import type { AnySchema } from '../generators/grammar.ts'
import { mustKeepRequest } from './identity.ts'
import { show } from './same.ts'
import type { Subject } from './subject.ts'
import { mustPointAtLosses } from './wire-paths.ts'

/** A word of a body for which the grammar has a list, such as the kind of a tool. */
export interface Word {
  readonly path: readonly (string | number)[]
  /** The list. */
  readonly schema: AnySchema
}

const UNKNOWN = 'x_unknown'

/**
 * A word that the grammar does not list, such as a new kind of tool, is sent to an upstream of the same protocol as it is. Toward every
 * other protocol it is a loss, at the word itself or around it; a media type may be accepted there.
 */
export function mustTakeUnknown(caller: Protocol, subject: Subject, wire: JsonObject, { path }: Word): void {
  const body = replaced(subject.canon.request(wire), path, UNKNOWN) as JsonObject // the root stays
  mustKeepRequest(caller, subject, body)
  mustPointAtLosses(caller, body)
  if (path.at(-1) === 'media_type') return
  const word = writtenPath(path)
  for (const upstream of protocols.filter(({ name }) => name !== caller.name)) {
    const { losses } = translate(caller, upstream, caller.request.check(body), { match: { model: 'm' } })
    if (!losses.some(({ wirePath = '' }) => word.startsWith(wirePath) || wirePath.startsWith(word)))
      throw new Error(`${upstream.name} has no loss for ${word}: ${show(losses)}\n ${show(body)}`)
  }
}

/**
 * The words in a body. Members for the gateway itself are left out, because no upstream reads them. So are the tags of results: if
 * a result is unknown, its call has no result, and every upstream refuses that.
 */
export function wordsIn(schema: AnySchema, value: Json, path: Word['path'] = []): Word[] {
  const def = (schema as z.$ZodTypes)._zod.def // zod has no others
  switch (def.type) {
    case 'literal':
      return [{ path, schema }]
    case 'optional':
    case 'nullable':
      return value === null ? [] : wordsIn(def.innerType, value, path)
    case 'lazy':
      return wordsIn(def.getter(), value, path)
    case 'array':
      return (value as readonly Json[]).flatMap((item, index) => wordsIn(def.element, item, [...path, index]))
    case 'union': {
      const fitting = def.options.filter((each) => z.safeParse(each, value).success)
      const option = fitting.find(({ _zod }) => _zod.def.type === 'literal') ?? fitting[0]
      return option === undefined ? [] : wordsIn(option, value, path)
    }
    case 'object': {
      const object = value as JsonObject // it fits
      const isResult = 'tool_call_id' in object || 'tool_use_id' in object || 'output' in object
      const members = Object.entries(def.shape).filter(([name]) => Object.hasOwn(object, name) && !OWN.has(name))
      return members.flatMap(([name, member]) =>
        isResult && TAGS.has(name) ? [] : wordsIn(member, object[name] ?? null, [...path, name]),
      )
    }
    default:
      return []
  }
}

const OWN: ReadonlySet<string> = new Set(['provider', 'model_routing_config'])

const TAGS: ReadonlySet<string> = new Set(['role', 'type'])

/** All lists of words in a grammar. */
export function listsIn(schema: AnySchema, seen: Set<AnySchema> = new Set()): AnySchema[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const def = (schema as z.$ZodTypes)._zod.def // zod has no others
  switch (def.type) {
    case 'literal':
      return [schema]
    case 'optional':
    case 'nullable':
      return listsIn(def.innerType, seen)
    case 'lazy':
      return listsIn(def.getter(), seen)
    case 'array':
      return listsIn(def.element, seen)
    case 'union':
      return def.options.flatMap((option) => listsIn(option, seen))
    case 'object':
      return Object.entries(def.shape).flatMap(([name, member]) => (OWN.has(name) ? [] : listsIn(member, seen)))
    default:
      return []
  }
}

function replaced(value: Json, [key, ...rest]: Word['path'], word: string): Json {
  if (key === undefined) return word
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)] as Json, rest, word)) as Json
  const object = value as JsonObject // the path is one of its own
  return { ...object, [key]: replaced(object[key] ?? null, rest, word) }
}

function writtenPath(path: Word['path']): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
}
