import type { Part } from '../../ir/part.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { createTagSplitter } from '../../lib/tag-splitter.ts'
import { decodeContent } from './content.ts'
import type { DecodedBlocks } from './decode-blocks.ts'
import type { ReasoningReader } from './read-reasoning.ts'
import { decodeThoughts, THINK_TAGS } from './reasoning.ts'
import type { WirePart } from './schema.ts'

/** The text and the refusals of a streamed response. */
export interface ContentReader {
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
