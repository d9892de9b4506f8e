import { grow, grownText, patch } from '../../ir/fold.ts'
import { reportForeign } from '../../ir/leftovers.ts'
import { countCalls } from '../../ir/pairs.ts'
import type { Part, Reasoning, Refusal, Text, ToolCall } from '../../ir/part.ts'
import type { BlockWriter, Emit } from '../../ir/stream.ts'
import { createGrown } from '../../lib/grown.ts'
import { template } from '../../lib/template.ts'
import type { EncodeContext } from '../protocol.ts'
import { encodeOneText, reportRefusal } from './assistant.ts'
import { encodePart } from './content.ts'
import { frame } from './frame.ts'
import { carrierOf, encodeDetail } from './reasoning.ts'
import { NAME, type WireAnnotation, type WireDetail } from './schema.ts'
import { encodeCall } from './calls.ts'

/** The blocks of one streamed answer. */
export interface Blocks {
  start(part: Part, position: number): BlockWriter
  /** A tool was called. */
  called(): boolean
}

/** Knows what is on the wire so far, and has a writer for each kind of part. */
export function createBlocks(write: Emit<string>, chunkOf: (choice: object) => object, context: EncodeContext): Blocks {
  const { losses } = context
  const pairs = countCalls()
  const details: WireDetail[] = []
  const annotations: WireAnnotation[] = []
  let place = 0 // parts that a reader has seen begin
  let calls = 0
  let said = 0 // characters of content
  let run: { readonly kind: string; readonly position: number; readonly start: number; length: number } | undefined // blocks that a reader sees as one

  const send = (delta: object) => write(frame(chunkOf({ delta, finish_reason: null })))
  const line = (delta: (hole: string) => object) =>
    template((hole) => chunkOf({ delta: delta(hole), finish_reason: null }), 'data: ', '\n\n')
  const at = <T>(position: number, report: () => T): T => {
    losses.enter('candidates', 0)
    losses.enter('parts', position)
    const result = report()
    losses.leave()
    losses.leave()
    return result
  }
  /** Begins a block; one of the same kind right behind another is read as one. */
  const begin = (kind: 'content' | 'refusal' | 'other', position: number) => {
    if (kind !== 'other' && run?.kind === kind) {
      const owner = ['candidates', 0, 'parts']
      losses.merged([...owner, position], [...owner, run.position], `chat streams one ${kind} at a time`)
      return
    }
    run = { kind, position, start: said, length: 0 }
    place++
  }

  /** Text under `member`, opened by its first piece. `finish` is told what was before it in the same run. */
  const plainWriter = (
    member: 'content' | 'refusal',
    shell: Text | Refusal,
    position: number,
    finish: (part: Text, before: number, first: boolean) => void,
  ): BlockWriter => {
    let part: Part = shell
    const grown = createGrown()
    let before = 0
    let piece: ((text: string) => string) | undefined
    return {
      delta(more) {
        if (piece === undefined) {
          begin(member, position)
          before = run?.length ?? 0
          piece = line((hole) => ({ [member]: hole }))
        }
        grown.add(more)
        write(piece(more))
      },
      patch(event) {
        part = patch(part, event)
      },
      end() {
        if (piece === undefined) return at(position, () => losses.dropped([], 'an empty text says nothing'))
        const text = grown.text()
        if (run !== undefined) run.length += text.length
        if (member === 'content') said += text.length
        if (part.type === 'text') finish({ ...part, text }, before, run?.position === position)
        else if (part.type === 'refusal') reportAt(position, part)
      },
    }
  }
  const reportAt = (position: number, part: Refusal) => at(position, () => reportRefusal(part, context))
  const finishText = (position: number) => (part: Text, before: number, first: boolean) => {
    // Places are counted in the run of texts that a reader takes for one, and written as places in all that was said.
    const cited = at(position, () => encodeOneText(part, before, first, context))
    annotations.push(...cited.map((annotation) => shifted(annotation, run?.start ?? 0)))
    if (cited.length > 0) send({ annotations })
    if (part.seal === undefined || !first) return
    details.push(carrierOf(part.seal, place))
    send({ reasoning_details: details })
  }
  /** Each reasoning ends with all entries so far, complete: clients keep the last value of a field they do not know. */
  const reasoningWriter = (shell: Reasoning, position: number): BlockWriter => {
    let part: Part = shell
    const grown = createGrown()
    const piece = line((hole) => ({ reasoning: hole, reasoning_content: hole }))
    return {
      delta(more) {
        grown.add(more)
        if (!shell.hidden) write(piece(more))
      },
      patch(event) {
        part = patch(part, event)
      },
      end() {
        const detail = at(position, () => encodeDetail(grow(part, grown.text()) as Reasoning, place, context)) // grow keeps the kind
        if (detail === undefined) return
        begin('other', position)
        details.push(detail)
        send({ reasoning_details: details })
      },
    }
  }
  const callWriter = (shell: ToolCall, position: number): BlockWriter => {
    const wire = at(position, () => encodeCall(shell, context, pairs))
    if (wire === undefined) return NO_WRITER
    begin('other', position)
    const index = calls++
    const custom = wire.type === 'custom'
    const whole = typeof shell.arguments !== 'string'
    const named = custom
      ? { custom: { ...wire.custom, input: '' } }
      : whole
        ? {}
        : { function: { ...wire.function, arguments: '' } }
    send({ tool_calls: [{ index, ...wire, ...named }] })
    const piece = line((hole) => ({
      tool_calls: [{ index, ...(custom ? { custom: { input: hole } } : { function: { arguments: hole } }) }],
    }))
    let empty = !whole && !custom
    return {
      delta(more) {
        empty = false
        write(piece(more))
      },
      patch(event) {
        if (event.seal !== undefined) at(position, () => losses.dropped(['seal'], 'it came after the call had begun'))
        if (event.extras?.[NAME] !== undefined)
          at(position, () => losses.dropped(['extras', NAME], 'it came after the call had begun'))
      },
      end() {
        if (empty) write(piece('{}'))
      },
    }
  }
  /** For parts that chat says in other words. */
  const wholeWriter = (shell: Part, position: number): BlockWriter => {
    let part = shell
    let text = grownText(shell)
    return {
      delta(more) {
        text += more
      },
      patch(event) {
        part = patch(part, event)
      },
      end() {
        const [wire] = at(position, () => encodePart(grow(part, text), context))
        if (wire === undefined) return
        if (wire.type !== 'text') return at(position, () => losses.dropped([], 'chat answers with one text'))
        begin('content', position)
        if (run !== undefined) run.length += wire.text.length
        said += wire.text.length
        send({ content: wire.text })
      },
    }
  }
  const writerOf = (part: Part, position: number): BlockWriter => {
    switch (part.type) {
      case 'text':
        return plainWriter('content', part, position, finishText(position))
      case 'refusal':
        return plainWriter('refusal', part, position, () => {})
      case 'reasoning':
        return reasoningWriter(part, position)
      case 'tool-call':
        return callWriter(part, position)
      case 'media':
        at(position, () => losses.dropped([], 'chat assistants say text'))
        return NO_WRITER
      default:
        return wholeWriter(part, position)
    }
  }

  return {
    start(part, position) {
      let seen = part
      const writer = writerOf(part, position)
      return {
        delta: writer.delta,
        patch(event) {
          seen = patch(seen, event)
          writer.patch(event)
        },
        end() {
          writer.end()
          at(position, () => reportForeign(seen, NAME, losses))
        },
      }
    },
    called: () => calls > 0,
  }
}

function shifted(annotation: WireAnnotation, by: number): WireAnnotation {
  const { start_index = 0, end_index = 0, ...cited } = annotation.url_citation ?? {}
  return { ...annotation, url_citation: { ...cited, start_index: start_index + by, end_index: end_index + by } }
}

const NO_WRITER: BlockWriter = { delta() {}, patch() {}, end() {} }
