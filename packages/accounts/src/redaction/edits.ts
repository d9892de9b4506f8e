import type { Program } from '../patterns/program.ts'
import { search, type Span } from '../patterns/search.ts'
import { findMedia, mediaSize } from './find-media.ts'
import { findSecrets } from './find-secrets.ts'
import { joinTexts, MOST_PER_STEP, type Steps } from './steps.ts'
import { viewsOf, type View } from './unescape.ts'

/** A part of a text that is replaced. */
export interface Edit extends Span {
  readonly by: string
}

const REDACTED = '[redacted]'

/** Replaces media by its size. */
export function* mediaEdits(text: string): Steps<readonly Edit[]> {
  let edits: readonly Edit[] = []
  for (const view of yield* viewsOf(text)) {
    const found = yield* findMedia(view.text)
    const inView = found.map(({ from, to }): Edit => {
      const by = `[media: ${mediaSize(view.text.slice(from, to))} bytes]`
      return { from: view.sourceOf(from), to: view.sourceOf(to), by }
    })
    edits = yield* merge(edits, inView)
  }
  return edits
}

/** Replaces API keys, and what the programs match. */
export function* secretEdits(text: string, programs: readonly Program[]): Steps<readonly Edit[]> {
  let edits: readonly Edit[] = []
  for (const view of yield* viewsOf(text)) {
    edits = yield* merge(edits, yield* redacted(view, yield* findSecrets(view.text)))
    for (const program of programs) {
      edits = yield* merge(edits, yield* redacted(view, yield* search(program, view.text)))
    }
  }
  return edits
}

function* redacted(view: View, spans: readonly Span[]): Steps<readonly Edit[]> {
  const edits: Edit[] = []
  for (const { from, to } of spans) {
    edits.push({ from: view.sourceOf(from), to: view.sourceOf(to), by: REDACTED })
    if (edits.length % MOST_PER_STEP === 0) yield MOST_PER_STEP
  }
  return edits
}

/** The text with its edits, which are sorted and do not overlap. */
export function* applyEdits(text: string, edits: readonly Edit[]): Steps<string> {
  if (edits.length === 0) return text
  const pieces: string[] = []
  let at = 0
  for (const { from, to, by } of edits) {
    pieces.push(text.slice(at, from), by)
    at = to
    if (pieces.length % MOST_PER_STEP === 0) yield MOST_PER_STEP
  }
  pieces.push(text.slice(at))
  return yield* joinTexts(pieces, '')
}

/** Two sorted lists as one. Of edits that overlap, one is left. */
function* merge(left: readonly Edit[], right: readonly Edit[]): Steps<readonly Edit[]> {
  const kept: Edit[] = []
  for (let l = 0, r = 0; l < left.length || r < right.length;) {
    const edit = isFirst(left[l], right[r]) ? left[l++] : right[r++]
    const last = kept.at(-1)
    if (edit === undefined) break
    if (last === undefined || edit.from >= last.to) kept.push(edit)
    else if (edit.to > last.to) kept[kept.length - 1] = { ...last, to: edit.to }
    if ((l + r) % MOST_PER_STEP === 0) yield MOST_PER_STEP
  }
  return kept
}

function isFirst(left: Edit | undefined, right: Edit | undefined): boolean {
  return right === undefined || (left !== undefined && left.from <= right.from)
}
