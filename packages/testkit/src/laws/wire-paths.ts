import { translate, type JsonObject, type Protocol, type ReportedLoss } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { same, show } from './same.ts'

/**
 * Wire paths: every dropped value of a request is in the caller's body at the reported path. There is a value at that path, and
 * without it, or with another one, the decoded request does not hold what was dropped.
 */
export function mustPointAtLosses(caller: Protocol, wire: JsonObject): void {
  const body = caller.request.check(wire)
  const match = { model: 'some-model', stream: true }
  const decode = (given: JsonObject) => caller.request.decode(given, { issuer: caller.issuer, path: match })
  const request = decode(body)
  // Most upstreams drop the same values, so each is tested once.
  const dropped = new Map<string, ReportedLoss>()
  for (const upstream of protocols) {
    for (const loss of translate(caller, upstream, body, { match, id: () => 'new', now: 0 }).losses) {
      if (loss.kind === 'dropped' && !isOfPath(loss)) dropped.set(JSON.stringify([loss.path, loss.wirePath]), loss)
    }
  }
  for (const loss of dropped.values()) mustHold(body, request, loss, decode)
}

function mustHold(
  body: JsonObject,
  request: unknown,
  { path, wirePath = '' }: ReportedLoss,
  decode: (body: JsonObject) => unknown,
): void {
  const keys = keysIn(body, wirePath)
  if (wirePath === '' || keys === undefined) throw new Error(`nothing at "${wirePath}" for ${path.join('.')}`)
  const held = valueAt(request, path)
  const others = [withoutMember(body, keys), withOther(body, keys)]
  if (others.every((other) => same(valueAt(decoded(other, decode), path), held)))
    throw new Error(`${path.join('.')} does not depend on "${wirePath}": ${show(held)}\n ${show(body)}`)
}

/** Values that come from the path of a call or from the gateway itself are not in a body. */
function isOfPath({ path }: ReportedLoss): boolean {
  return path[0] === 'delivery' || path[0] === 'model'
}

function decoded(body: unknown, decode: (body: JsonObject) => unknown): unknown {
  try {
    return decode(body as JsonObject) // the root stays
  } catch {
    return undefined // the decoder needs what is not there, so it is read
  }
}

type Keys = readonly (string | number)[]

/** An element of a list is not taken out: the others would take its place. */
function withoutMember(body: JsonObject, keys: Keys): unknown {
  const name = keys.at(-1)
  if (typeof name === 'number') return body
  return replaced(body, keys.slice(0, -1), (object) => {
    const { [name ?? '']: _, ...others } = object as JsonObject // found by keysIn
    return others
  })
}

function withOther(body: JsonObject, keys: Keys): unknown {
  return replaced(body, keys, otherValue)
}

function replaced(value: unknown, [key, ...rest]: Keys, replace: (value: unknown) => unknown): unknown {
  if (key === undefined) return replace(value)
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)], rest, replace))
  const object = value as JsonObject // found by keysIn
  return { ...object, [key]: replaced(object[`${key}`], rest, replace) }
}

/** Another value of the same form. */
function otherValue(value: unknown): unknown {
  if (typeof value === 'string') return `${value}~`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.map(otherValue)
  if (typeof value !== 'object' || value === null) return '~'
  return { ...Object.fromEntries(Object.entries(value).map(([key, each]) => [key, otherValue(each)])), '~': '~' }
}

/** The keys of a written path. Names may contain dots and brackets themselves: they are read as the names that the body has. */
function keysIn(value: unknown, path: string): (string | number)[] | undefined {
  if (path === '') return []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const starts = Array.isArray(value) ? [`[${key}]`] : [`.${key}`, key]
    const start = starts.find((each) => path.startsWith(each))
    const rest = start === undefined ? undefined : keysIn(inner, path.slice(start.length))
    if (rest !== undefined) return [Array.isArray(value) ? Number(key) : key, ...rest]
  }
  return undefined
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let node = root
  for (const key of path) node = (node as { readonly [key: string]: unknown } | undefined)?.[key]
  return node
}
