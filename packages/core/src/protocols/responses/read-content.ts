import type { Part } from '../../ir/part.ts'
import { listOf, optionalString } from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import type { ResponsesEvent } from './answer-schema.ts'
import { decodePart } from './content.ts'
import type { Item, WirePart } from './schema.ts'
import { decodeCall } from './calls.ts'
import { isMarked, keepRaw } from './reasoning.ts'

/** An event that adds text to a part of an item. */
export type DeltaEvent = Extract<ResponsesEvent, { delta?: string | undefined }>
/** An event about a whole part of an item. */
export type PartEvent = Extract<ResponsesEvent, { part?: object | undefined }>

/** Names the part of its item that an event is about. */
export function partKey({ content_index, summary_index }: DeltaEvent | PartEvent): string {
  return summary_index === undefined ? `content ${content_index ?? 0}` : `summary ${summary_index}`
}

/** The names of all parts of an item, in their order. */
export function partKeys(item: Item): string[] {
  if (item.type !== 'reasoning') return listOf((item as { content?: readonly unknown[] }).content).map(keyOf) // of a message, or none
  return [...listOf(item.summary).map((_text, index) => `summary ${index}`), ...listOf(item.content).map(keyOf)]
}

function keyOf(_part: unknown, index: number): string {
  return `content ${index}`
}

/** The empty part that a delta is the first text of; undefined if its item has no such part. */
export function startPart({ type }: DeltaEvent, item: Item, context: DecodeContext): Part | undefined {
  switch (type) {
    case 'response.output_text.delta':
      return { type: 'text', text: '', ...itemOf(item) }
    case 'response.refusal.delta':
      return { type: 'refusal', text: '', ...itemOf(item) }
    case 'response.reasoning_text.delta':
      return startThought(item, false, itemOf(item), context)
    case 'response.reasoning_summary_text.delta':
      return startThought(item, true, itemOf(item), context)
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      return startCall(item, context)
    default:
      return type satisfies never
  }
}

/** The text that an event adds to its part. */
export function addedText(event: ResponsesEvent): string | undefined {
  return 'delta' in event ? optionalString(event.delta) : undefined
}

/** The part that an event announces: empty if its text is still to come, whole if it is of an unknown kind and complete. */
export function announcedPart(event: PartEvent, item: Item, context: DecodeContext): Part | undefined {
  const part = event.part as WirePart | undefined // read leniently
  const isDone = event.type === 'response.content_part.done'
  switch (part?.type as string | undefined) {
    case 'output_text':
      return isDone ? undefined : { type: 'text', text: '', ...itemOf(item) }
    case 'refusal':
      return isDone ? undefined : { type: 'refusal', text: '', ...itemOf(item) }
    case 'summary_text':
    case 'reasoning_text':
      return isDone ? undefined : startThought(item, event.summary_index !== undefined, itemOf(item), context)
    default:
      return part === undefined || !isDone ? undefined : { ...decodePart(part), ...itemOf(item) }
  }
}

function itemOf(item: Item): { readonly item?: string } {
  return 'id' in item && typeof item.id === 'string' ? { item: item.id } : {}
}

/** A call whose arguments are still to come; undefined for an item that is not a call. */
export function startCall(item: Item, context: DecodeContext): Part | undefined {
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return undefined
  const { extras: _late, ...call } = decodeCall(item, context)
  return { ...call, arguments: '' }
}

/** Reasoning whose text is still to come. Its seal comes with the whole item. */
export function startThought(
  item: Item,
  isSummary: boolean,
  id: { readonly item?: string },
  context: DecodeContext,
): Part | undefined {
  if (item.type !== 'reasoning') return undefined
  if (!isSummary) return keepRaw({ type: 'reasoning', text: '', ...id }, undefined, context)
  return { type: 'reasoning', text: '', ...(!isMarked(item) ? { summary: true as const } : {}), ...id }
}
