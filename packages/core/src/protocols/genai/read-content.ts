import { streamedText } from '../../ir/fold.ts'
import type { Part } from '../../ir/part.ts'
import { isObject, listOf } from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import { appendPart, continues, decodePart, isNothing, plainText } from './content.ts'
import type { DecodedBlocks } from './decode-blocks.ts'
import type { WirePart } from './schema.ts'
import { createMemberBuffer, type MemberBuffer } from '../../lib/members.ts'
import { createPathObject, type PathObject } from '../../lib/json-path.ts'
import type { WireCall } from './calls.ts'

/** The parts of a streamed answer. */
export interface ContentReader {
  /** The parts of one chunk. */
  read(wires: readonly WirePart[]): void
  /** Reads the unfinished call. */
  flush(): void
  /** A function was called. */
  called(): boolean
}

export function createContentReader(blocks: DecodedBlocks, context: DecodeContext): ContentReader {
  const calls = createCallReader()
  let called = false
  const readWhole = (wire: WirePart) => readPart(decodePart(wire, context))
  const readPart = (part: Part) => {
    if (isNothing(part)) return
    if (part.type === 'tool-call') called = true
    if (blocks.open === undefined || !continues(blocks.open, part)) return blocks.begin(part)
    blocks.grow(streamedText(part))
    if (part.seal !== undefined) blocks.seal(part.seal)
  }
  const readOne = (wire: WirePart) => {
    const text = plainText(wire)
    if (text !== undefined && goesOn(blocks.open, wire)) blocks.grow(text)
    else readWhole(wire)
  }
  /** A text begins with the seal that the same chunk has for it: some encoders write it before the text. */
  const readSeveral = (wires: readonly WirePart[]) => {
    const parts: Part[] = []
    for (const wire of wires) {
      if (!isObject(wire.functionCall)) appendPart(parts, decodePart(wire, context))
      else {
        parts.splice(0).forEach(readPart)
        calls.read(wire).forEach(readWhole)
      }
    }
    parts.forEach(readPart)
  }
  return {
    read(wires) {
      const [wire, other] = wires
      if (other !== undefined) readSeveral(wires)
      else if (isObject(wire?.functionCall)) calls.read(wire).forEach(readWhole)
      else if (wire !== undefined) readOne(wire)
    },
    flush: () => calls.flush().forEach(readWhole),
    called: () => called,
  }
}

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

/** Reasoning continues with reasoning and text with text, until it is sealed. */
export function goesOn(open: Part | undefined, wire: WirePart): boolean {
  const kind = wire.thought === true ? 'reasoning' : 'text'
  return open?.type === kind && open.seal === undefined
}
