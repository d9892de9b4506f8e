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
  if (hasExtras(part)) walkPart(part, [], protocol, found)
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
    for (let i = 0; i < value.messages.length; i++) {
      const message = value.messages[i]
      if (message === undefined) continue
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

/** `at` builds the path of the list, only on a hit: most parts have no leftovers. */
function walkParts(parts: readonly Part[], at: () => Path, protocol: string, found: Path[]): void {
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    if (part !== undefined && hasExtras(part)) walkPart(part, [...at(), i], protocol, found)
  }
}

function hasExtras(part: Part): boolean {
  if (part.extras !== undefined) return true
  if (part.type === 'text') return part.citations?.some((citation) => citation.extras !== undefined) === true
  return innerParts(part)?.parts.some(hasExtras) === true
}

function walkPart(part: Part, at: Path, protocol: string, found: Path[]): void {
  collect(part.extras, at, protocol, found)
  if (part.type === 'text') {
    for (const [i, citation] of part.citations?.entries() ?? [])
      collect(citation.extras, [...at, 'citations', i], protocol, found)
    return
  }
  const inner = innerParts(part)
  if (inner !== undefined) walkParts(inner.parts, () => [...at, ...inner.at], protocol, found)
}

/** The parts inside a part, and where they are. */
function innerParts(part: Part): { readonly parts: readonly Part[]; readonly at: Path } | undefined {
  switch (part.type) {
    case 'tool-result':
      return part.output.parts === undefined ? undefined : { parts: part.output.parts, at: ['output', 'parts'] }
    case 'search-hit':
      return part.parts === undefined ? undefined : { parts: part.parts, at: ['parts'] }
    case 'media':
      return part.source.kind === 'parts' ? { parts: part.source.parts, at: ['source', 'parts'] } : undefined
    default:
      return undefined
  }
}

function collect(extras: Extras | undefined, at: Path, protocol: string | undefined, found: Path[]): void {
  if (extras === undefined) return
  for (const key of Object.keys(extras)) if (key !== protocol) found.push([...at, 'extras', key])
}
