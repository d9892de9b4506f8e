import {
  DragomanError,
  isObject,
  parseJson,
  type Head,
  type Json,
  type Peek,
  type Protocol,
  type RoutingWishes,
} from '@dragoman/core'
import type { Caller } from '../ports.ts'
import { COMPLEXITIES, FACTORS, NO_POLICY, ON_LOSS, ROUTE_TYPES, type RoutePolicy } from './policy.ts'

/** What a call asks for: in its body, if its protocol has room for it, and in a header, which works in all protocols. */
export interface CallWishes extends RoutingWishes, Pick<RoutePolicy, 'onLoss' | 'keep'> {}

export const ROUTING_HEADER = 'x-dragoman-routing'
const STRICT_HEADER = 'x-dragoman-strict'

type Wish = keyof CallWishes

/** The members of the header, and what they may be. */
const MEMBERS: {
  readonly [member: string]: { readonly wish: Wish; readonly allowed: 'text' | 'texts' | readonly string[] }
} = {
  type: { wish: 'type', allowed: ROUTE_TYPES },
  primary_factor: { wish: 'factor', allowed: FACTORS },
  providers: { wish: 'providers', allowed: 'texts' },
  fallback: { wish: 'fallback', allowed: 'text' },
  available_models: { wish: 'models', allowed: 'texts' },
  preference: { wish: 'preference', allowed: 'text' },
  task_type: { wish: 'task', allowed: ['chat', 'completion', 'embedding'] },
  complexity: { wish: 'complexity', allowed: COMPLEXITIES },
  on_loss: { wish: 'onLoss', allowed: ON_LOSS },
  keep: { wish: 'keep', allowed: 'texts' },
}

/** Where each wish stands in the header, for errors. */
const HEADER_FIELDS = Object.fromEntries(
  Object.entries(MEMBERS).map(([member, { wish }]) => [wish, `${ROUTING_HEADER}.${member}`]),
) as { readonly [Each in Wish]: string } // every wish has a member

/** The wishes of a call, and where each of them stands. */
export interface AskedWishes {
  readonly wishes: CallWishes
  readonly fields: { readonly [Each in Wish]: string }
}

/** Of most calls. */
export const NO_WISHES: CallWishes = {}
const NOTHING_ASKED: AskedWishes = { wishes: NO_WISHES, fields: HEADER_FIELDS }

export function wishesOf(head: Head, protocol: Protocol, { routing }: Peek): AskedWishes {
  const header = head.header(ROUTING_HEADER)
  const strict = head.header(STRICT_HEADER)?.toLowerCase() === 'true'
  if (header === undefined && routing === undefined && !strict) return NOTHING_ASKED
  const said = header === undefined ? NO_WISHES : readHeader(header)
  if (strict && said.onLoss !== undefined && said.onLoss !== 'refuse')
    throw wrong(HEADER_FIELDS.onLoss, `is not what the header ${STRICT_HEADER} says: give it in one place`)
  const asked: CallWishes = strict ? { ...said, onLoss: 'refuse' } : said
  if (routing === undefined) return { wishes: asked, fields: HEADER_FIELDS }
  const twice = (Object.keys(routing) as (keyof RoutingWishes)[]).find(
    (wish) => asked[wish] !== undefined && JSON.stringify(asked[wish]) !== JSON.stringify(routing[wish]),
  )
  const ofBody = Object.fromEntries(
    Object.keys(routing).map((wish) => [wish, protocol.relay.wishes?.[wish as keyof RoutingWishes]]),
  )
  const fields = { ...HEADER_FIELDS, ...ofBody }
  if (twice !== undefined)
    throw wrong(fields[twice], `is not what the header ${ROUTING_HEADER} says: give it in one place`)
  return { wishes: { ...asked, ...routing }, fields }
}

function readHeader(text: string): CallWishes {
  const json = parseJson(text)
  if (!isObject(json)) throw wrong(ROUTING_HEADER, 'must be a JSON object')
  return Object.fromEntries(Object.entries(json).map(readMember))
}

function readMember([member, value]: [string, Json]): [Wish, Json] {
  const { wish, allowed } =
    (Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined) ?? refuse(ROUTING_HEADER, UNKNOWN)
  const at = HEADER_FIELDS[wish]
  if (wish === 'fallback' && (typeof value === 'boolean' || value === 'true' || value === 'false'))
    return [wish, value === true || value === 'true']
  if (allowed === 'text') return typeof value === 'string' ? [wish, value] : refuse(at, 'must be a text')
  if (allowed === 'texts') {
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
    return isList ? [wish, value] : refuse(at, 'must be a list of texts')
  }
  const isAllowed = typeof value === 'string' && allowed.includes(value)
  return isAllowed ? [wish, value] : refuse(at, `must be one of ${allowed.join(', ')}`)
}

const UNKNOWN = `has an unknown member; it may have ${Object.keys(MEMBERS).join(', ')}`

function refuse(at: string, reason: string): never {
  throw wrong(at, reason)
}

function wrong(at: string, reason: string): DragomanError {
  return new DragomanError('invalid-request', `${at} ${reason}.`, { param: at })
}

/** How a call is routed: its own wishes, with the policies of its alias and its key. */
export interface CallPolicy extends CallWishes, Pick<RoutePolicy, 'headMs' | 'retries'> {}

/** What counts: the call's own wishes, then those of the alias, then those of the key. */
export function combine(wishes: CallWishes, alias: RoutePolicy, caller: Caller | undefined): CallPolicy {
  if (wishes === NO_WISHES && alias === NO_POLICY && caller?.routing === undefined) return NO_WISHES
  return {
    ...caller?.routing,
    ...alias,
    ...wishes,
    fallback: wishes.fallback ?? alias.fallback ?? caller?.routing?.fallback,
  }
}
