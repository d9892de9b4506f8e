import {
  DragomanError,
  isObject,
  parseJson,
  type Head,
  type Json,
  type Peek,
  type Protocol,
  type RoutingPreferences,
} from '@dragoman/core'
import type { Caller } from '../ports/ports.ts'
import { COMPLEXITIES, FACTORS, NO_POLICY, ON_LOSS, ROUTE_TYPES, type RoutePolicy } from '../ports/policy.ts'

/** What a call asks for: in its body, if its protocol has members for it, and in a header, which works in all protocols. */
export interface CallPreferences extends RoutingPreferences, Pick<RoutePolicy, 'onLoss' | 'keep'> {}

export const ROUTING_HEADER = 'x-dragoman-routing'
const STRICT_HEADER = 'x-dragoman-strict'

type PreferenceName = keyof CallPreferences

/** The members of the header, and what they may be. */
const MEMBERS: {
  readonly [member: string]: { readonly name: PreferenceName; readonly allowed: 'text' | 'texts' | readonly string[] }
} = {
  type: { name: 'type', allowed: ROUTE_TYPES },
  primary_factor: { name: 'factor', allowed: FACTORS },
  providers: { name: 'providers', allowed: 'texts' },
  fallback: { name: 'fallback', allowed: 'text' },
  available_models: { name: 'models', allowed: 'texts' },
  preference: { name: 'preference', allowed: 'text' },
  task_type: { name: 'task', allowed: ['chat', 'completion', 'embedding'] },
  complexity: { name: 'complexity', allowed: COMPLEXITIES },
  on_loss: { name: 'onLoss', allowed: ON_LOSS },
  keep: { name: 'keep', allowed: 'texts' },
}

/** Where each preference stands in the header, for errors. */
const HEADER_FIELDS = Object.fromEntries(
  Object.entries(MEMBERS).map(([member, { name }]) => [name, `${ROUTING_HEADER}.${member}`]),
) as { readonly [Each in PreferenceName]: string } // every preference has a member

/** The preferences of a call, and where each of them stands. */
export interface AskedPreferences {
  readonly preferences: CallPreferences
  readonly fields: { readonly [Each in PreferenceName]: string }
}

/** The preferences of most calls. */
export const NO_PREFERENCES: CallPreferences = {}
const NOTHING_ASKED: AskedPreferences = { preferences: NO_PREFERENCES, fields: HEADER_FIELDS }

export function preferencesOf(head: Head, protocol: Protocol, { routing }: Peek): AskedPreferences {
  const header = head.header(ROUTING_HEADER)
  const strict = head.header(STRICT_HEADER)?.toLowerCase() === 'true'
  if (header === undefined && routing === undefined && !strict) return NOTHING_ASKED
  const ofHeader = header === undefined ? NO_PREFERENCES : readHeader(header)
  if (strict && ofHeader.onLoss !== undefined && ofHeader.onLoss !== 'refuse')
    throw wrong(HEADER_FIELDS.onLoss, `is not what the header ${STRICT_HEADER} says: give it in one place`)
  const asked: CallPreferences = strict ? { ...ofHeader, onLoss: 'refuse' } : ofHeader
  if (routing === undefined) return { preferences: asked, fields: HEADER_FIELDS }
  const twice = (Object.keys(routing) as (keyof RoutingPreferences)[]).find(
    (name) => asked[name] !== undefined && JSON.stringify(asked[name]) !== JSON.stringify(routing[name]),
  )
  const ofBody = Object.fromEntries(
    Object.keys(routing).map((name) => [name, protocol.relay.preferences?.[name as keyof RoutingPreferences]]),
  )
  const fields = { ...HEADER_FIELDS, ...ofBody }
  if (twice !== undefined)
    throw wrong(fields[twice], `is not what the header ${ROUTING_HEADER} says: give it in one place`)
  return { preferences: { ...asked, ...routing }, fields }
}

function readHeader(text: string): CallPreferences {
  const json = parseJson(text)
  if (!isObject(json)) throw wrong(ROUTING_HEADER, 'must be a JSON object')
  return Object.fromEntries(Object.entries(json).map(readMember))
}

function readMember([member, value]: [string, Json]): [PreferenceName, Json] {
  const { name, allowed } =
    (Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined) ?? refuse(ROUTING_HEADER, UNKNOWN)
  const at = HEADER_FIELDS[name]
  if (name === 'fallback' && (typeof value === 'boolean' || value === 'true' || value === 'false'))
    return [name, value === true || value === 'true']
  if (allowed === 'text') return typeof value === 'string' ? [name, value] : refuse(at, 'must be a text')
  if (allowed === 'texts') {
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
    return isList ? [name, value] : refuse(at, 'must be a list of texts')
  }
  const isAllowed = typeof value === 'string' && allowed.includes(value)
  return isAllowed ? [name, value] : refuse(at, `must be one of ${allowed.join(', ')}`)
}

const UNKNOWN = `has an unknown member; it may have ${Object.keys(MEMBERS).join(', ')}`

function refuse(at: string, reason: string): never {
  throw wrong(at, reason)
}

function wrong(at: string, reason: string): DragomanError {
  return new DragomanError('invalid-request', `${at} ${reason}.`, { param: at })
}

/** How a call is routed: its own preferences, with the policies of its alias and its key. */
export interface CallPolicy extends CallPreferences, Pick<RoutePolicy, 'headMs' | 'retries'> {}

/** What counts: the call's own preferences, then those of the alias, then those of the key. */
export function combine(preferences: CallPreferences, alias: RoutePolicy, caller: Caller | undefined): CallPolicy {
  if (preferences === NO_PREFERENCES && alias === NO_POLICY && caller?.routing === undefined) return NO_PREFERENCES
  return {
    ...caller?.routing,
    ...alias,
    ...preferences,
    fallback: preferences.fallback ?? alias.fallback ?? caller?.routing?.fallback,
  }
}
