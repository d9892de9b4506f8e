import type { Extras } from './extras.ts'
import type { Losses, Path } from './loss.ts'
import type { Part } from './part.ts'
import type { Request } from './request.ts'
import type { Response } from './response.ts'

/**
 * Reports the leftovers of other protocols that go no further, for a whole request or response at once, after it is encoded.
 * Encoders never do that by hand.
 */
export function reportForeign(value: Request | Response, protocol: string, losses: Losses): void {
  const found: Path[] = []
  walk(value, protocol, found)
  report(found, losses)
}

/** The same for one part or message head of a stream; the losses stand at it. */
export function reportForeignPart(part: Part, protocol: string, losses: Losses): void {
  const found: Path[] = []
  walkPart(part, () => [], protocol, found)
  report(found, losses)
}

/** `protocol` undefined: nothing of them goes further, the own ones neither. */
export function reportForeignExtras(
  extras: Extras | undefined,
  protocol: string | undefined,
  losses: Losses,
  at: Path = [],
): void {
  const found: Path[] = []
  collect(extras, at, protocol, found)
  report(found, losses)
}

function report(found: readonly Path[], losses: Losses): void {
  for (const path of found) losses.dropped(path, `only ${String(path.at(-1))} has this`)
}

function walk(value: Request | Response, protocol: string, found: Path[]): void {
  collect(value.extras, [], protocol, found)
  if ('messages' in value) {
    for (const [i, message] of value.messages.entries()) {
      if (message.extras !== undefined) collect(message.extras, ['messages', i], protocol, found)
      walkParts(message.parts, () => ['messages', i, 'parts'], protocol, found)
    }
    for (const [i, tool] of value.tools?.entries() ?? []) collect(tool.extras, ['tools', i], protocol, found)
  } else {
    collect(value.usage?.extras, ['usage'], protocol, found)
    for (const [i, candidate] of value.candidates.entries()) {
      collect(candidate.extras, ['candidates', i], protocol, found)
      walkParts(candidate.parts, () => ['candidates', i, 'parts'], protocol, found)
    }
  }
}

/** `at` builds the path, only on a hit: most parts have no leftovers. */
function walkParts(parts: readonly Part[], at: () => Path, protocol: string, found: Path[]): void {
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    if (part !== undefined && (part.extras !== undefined || part.type !== 'text' || part.citations !== undefined)) {
      walkPart(part, () => [...at(), i], protocol, found)
    }
  }
}

function walkPart(part: Part, at: () => Path, protocol: string, found: Path[]): void {
  if (part.extras !== undefined) collect(part.extras, at(), protocol, found)
  switch (part.type) {
    case 'text':
      for (const [i, citation] of part.citations?.entries() ?? []) {
        if (citation.extras !== undefined) collect(citation.extras, [...at(), 'citations', i], protocol, found)
      }
      return
    case 'tool-result':
      if (part.output.parts !== undefined)
        walkParts(part.output.parts, () => [...at(), 'output', 'parts'], protocol, found)
      return
    case 'search-hit':
      if (part.parts !== undefined) walkParts(part.parts, () => [...at(), 'parts'], protocol, found)
      return
    case 'media':
      if (part.source.kind === 'parts')
        walkParts(part.source.parts, () => [...at(), 'source', 'parts'], protocol, found)
      return
    default:
  }
}

function collect(extras: Extras | undefined, at: Path, protocol: string | undefined, found: Path[]): void {
  if (extras === undefined) return
  for (const key of Object.keys(extras)) if (key !== protocol) found.push([...at, 'extras', key])
}
