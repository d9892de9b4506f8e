import type { Part, Reasoning } from '../../ir/part.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { createTagSplitter } from '../../lib/tag-splitter.ts'
import type { Seal } from '../../ir/seal.ts'
import { defined } from '../../lib/members.ts'
import { isEmpty } from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import { decodeContent } from './content.ts'
import type { DecodedBlocks, StreamBlock } from './decode-blocks.ts'
import { decodeThoughts, THINK_TAGS, decodeDetail } from './reasoning.ts'
import type { WirePart, WireDetail } from './schema.ts'

/** The text and the refusals of a streamed answer. */
interface ContentReader {
  readonly read: (content: string | readonly WirePart[]) => void
  readonly refuse: (text: string) => void
  /** Emits text that was held back because it could have become a tag. */
  readonly flush: () => void
  /** Pieces of text are emitted as they arrive: none is held back or removed. */
  readonly passesText: () => boolean
}

/** `tags`: the upstream puts its reasoning between tags at the start of the text. */
export function createContentReader(
  emit: Emit<StreamEvent>,
  { pendingBlocks, start, appendText }: DecodedBlocks,
  reasoning: ReasoningReader,
  tags: boolean,
): ContentReader {
  const splitter = tags
    ? createTagSplitter({
        ...THINK_TAGS,
        inside: reasoning.appendText,
        outside: (text) => appendText('text', text),
      })
    : undefined
  /** A part of an upstream that sends its content in parts; consecutive parts of one kind are one block. */
  const readPart = (part: Part) => {
    if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'refusal') {
      start('other', part)
      return
    }
    if (part.text !== '') {
      if (part.type === 'text') reader.read(part.text)
      else if (part.type === 'reasoning') reasoning.appendText(part.text)
      else reader.refuse(part.text)
    }
    const { extras } = part
    if (extras !== undefined && pendingBlocks.active?.kind === part.type) emit({ type: 'block-patch', extras })
  }
  const reader: ContentReader = {
    read(content) {
      if (typeof content !== 'string') decodeThoughts(decodeContent(content), { tags: false }).forEach(readPart)
      else if (splitter === undefined) appendText('text', content)
      else splitter.push(content)
    },
    refuse(text) {
      splitter?.flush()
      appendText('refusal', text)
    },
    flush: () => splitter?.flush(),
    passesText: () => splitter?.through !== false,
  }
  return reader
}

/** The reasoning of a streamed answer: plain strings, entries of reasoning_details, or both. */
interface ReasoningReader {
  readonly appendText: (text: string) => void
  /** Begins another block, whose text may be empty. */
  readonly divide: () => void
  /** `position` is the index of an entry without one. */
  readonly readDetail: (wire: WireDetail, position: number) => void
}

/** What an entry does. All but the last two make it complete: upstreams that repeat it add nothing. */
type Step =
  /** It is the seal of a block, if there is one. */
  | { readonly does: 'seal'; readonly block: StreamBlock | undefined; readonly seal: Seal | undefined }
  /** It is the whole of what plain strings have streamed, or of nothing. */
  | { readonly does: 'settle'; readonly block: StreamBlock; readonly part: Reasoning }
  | { readonly does: 'hide'; readonly part: Reasoning }
  | { readonly does: 'go-on'; readonly block: StreamBlock; readonly part: Reasoning }
  | { readonly does: 'begin'; readonly part: Reasoning }

export function createReasoningReader(
  { pendingBlocks, start, at, patch }: DecodedBlocks,
  context: DecodeContext,
): ReasoningReader {
  const complete = new Set<string>()
  const withText = new Set<StreamBlock>() // blocks with text
  const begin = () => start('reasoning', { type: 'reasoning', text: '' }, { thought: 'strings' })
  const stepOf = (part: Reasoning, index: number): Step => {
    const own = at(index)
    const { active } = pendingBlocks
    if (isOpen(own) && !(part.hidden && withText.has(own))) return { does: 'settle', block: own, part }
    if (isOpen(active) && !part.hidden) return { does: 'settle', block: active, part }
    if (part.hidden) return { does: 'hide', part }
    return active?.thought === index ? { does: 'go-on', block: active, part } : { does: 'begin', part }
  }
  const take = (step: Step, index: number): void => {
    switch (step.does) {
      case 'seal':
        if (step.seal !== undefined && step.block !== undefined) patch(step.block, { seal: step.seal })
        return
      case 'settle': {
        const { seal, extras, summary, hidden } = step.part
        const change = defined({ seal, extras, summary, hidden })
        step.block.thought = 'complete'
        return isEmpty(change) ? undefined : patch(step.block, change)
      }
      case 'hide':
        return void start('reasoning', step.part, { thought: 'complete' })
      case 'go-on':
        if (step.part.text !== '') pendingBlocks.grow(step.block, step.part.text)
        if (step.part.seal !== undefined) patch(step.block, { seal: step.part.seal })
        return
      case 'begin': {
        const { text } = step.part
        const block = start('reasoning', { ...step.part, text: '' }, { thought: index })
        if (text !== '') pendingBlocks.grow(block, text)
        return
      }
      default:
        step satisfies never
    }
  }
  return {
    appendText(text) {
      const { active } = pendingBlocks
      const block = isOpen(active) ? active : begin()
      withText.add(block)
      pendingBlocks.grow(block, text)
    },
    divide: () => void begin(),
    readDetail(wire, position) {
      const { part, seal, index = position } = decodeDetail(wire, context)
      const entry = `${part === undefined ? 'seal' : 'part'} ${index}`
      if (complete.has(entry)) return
      const step: Step =
        part === undefined ? { does: 'seal', block: at(index - 1) ?? pendingBlocks.active, seal } : stepOf(part, index)
      const isSigned = part?.seal !== undefined
      if ((step.does !== 'go-on' && step.does !== 'begin') || isSigned) complete.add(entry)
      take(step, index)
    },
  }
}

/** Reasoning from plain strings whose entry has not come yet. */
function isOpen(block: StreamBlock | undefined): block is StreamBlock {
  return block?.thought === 'strings'
}
