import { createMemberBuffer, type MemberBuffer } from '../../lib/member-buffer.ts'
import { isObject, listOf } from '../../lib/json.ts'
import { createPathObject, type PathObject } from '../../lib/json-path.ts'
import type { WireCall } from './calls.ts'
import type { WirePart } from './schema.ts'

/** Collects a call whose arguments arrive in pieces, path by path. */
export interface CallReader {
  /** The calls that are complete now. */
  read(part: WirePart): WirePart[]
  /** The calls that were not complete at the end. */
  flush(): WirePart[]
}

export function createCallReader(): CallReader {
  let waiting: { readonly part: MemberBuffer; readonly call: MemberBuffer; readonly args: PathObject } | undefined

  const flush = (): WirePart[] => {
    if (waiting === undefined) return []
    const { part, call, args } = waiting
    waiting = undefined
    const { args: given, ...called }: Partial<WireCall> = call.object() ?? {}
    return [{ ...part.object(), functionCall: { name: '', ...called, args: { ...given, ...args.value() } } }]
  }
  return {
    flush,
    read(part) {
      const { functionCall, ...beside } = part
      const { partialArgs, willContinue, ...call }: Partial<WireCall> = functionCall ?? {}
      const before = call.name === undefined ? [] : flush() // a name begins a call, whether or not the last one was ended
      if (waiting === undefined && partialArgs === undefined && willContinue !== true) return [...before, part]
      waiting ??= { part: createMemberBuffer(), call: createMemberBuffer(), args: createPathObject() }
      for (const piece of listOf(partialArgs as readonly unknown[] | undefined)) put(piece, waiting.args)
      waiting.part.add(beside)
      waiting.call.add(call)
      return willContinue === true ? before : [...before, ...flush()]
    },
  }
}

function put(piece: unknown, args: PathObject): void {
  if (!isObject(piece) || typeof piece['jsonPath'] !== 'string') return
  const { jsonPath, stringValue, numberValue, boolValue, nullValue } = piece
  const value = stringValue ?? numberValue ?? boolValue ?? (nullValue === undefined ? undefined : null)
  if (value === null || (value !== undefined && typeof value !== 'object')) args.put(jsonPath, value)
}
