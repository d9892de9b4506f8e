import type { Converted, Converter } from './converter.ts'
import {
  PROTOCOLS,
  type Fact,
  type Fixture,
  type Found,
  type Kind,
  type Look,
  type ProtocolName,
  type Expectation,
} from './fact.ts'
import { textOf, type JsonObject } from './json.ts'
import { echo } from './wire/echo.ts'
import { fold } from './wire/fold.ts'
import { spell } from './wire/spell.ts'

/**
 * `kept`: expressed in the target's own terms. `reported`: not expressed, or only nearly, and the converter names it. `silent`: missing
 * and not reported. `wrong`: a different value. `crashed`: no output.
 */
export type Verdict = 'kept' | 'reported' | 'silent' | 'wrong' | 'crashed'

export interface Check {
  readonly section: Section
  readonly area: string
  readonly from: ProtocolName
  readonly via?: ProtocolName
  readonly to: ProtocolName
  readonly name: string
  readonly fact: string
  readonly verdict: Verdict
  /** Whether the target can express the fact at all. */
  readonly expressible: boolean
  /** The reason of the crash. */
  readonly error?: string
}

export const SECTIONS = ['request', 'response', 'stream', 'error', 'round trip', 'conversation'] as const
export type Section = (typeof SECTIONS)[number]

/** Converts every fixture to every other protocol, and back again. */
export async function judge(converter: Converter, corpus: readonly Fixture[]): Promise<Check[]> {
  const checks: Check[] = []
  for (const fixture of corpus) {
    for (const to of PROTOCOLS) {
      if (to !== fixture.from && converter.takes(fixture, fixture.from, to)) {
        const judgement = fixture.echoed === undefined ? judgeFixture : judgeEcho
        checks.push(...(await judgement(converter, fixture, to)))
      }
    }
  }
  return checks
}

async function judgeFixture(converter: Converter, fixture: Fixture, to: ProtocolName): Promise<Check[]> {
  const { kind, from, wire, issuer } = fixture
  const there = await attempt(() => converter.convert({ kind, from, to, wire, issuer }))
  const direct = fixture.facts.flatMap((fact) =>
    judgeFact(fixture, fact, there, { section: kind, to, expectation: fact.in[to] }),
  )
  // Errors are not converted back, and content that returns to its issuer has no other reader.
  if (!converter.takes(fixture, to, from) || kind === 'error' || issuer !== undefined) return direct
  const back =
    typeof there === 'string'
      ? there
      : await attempt(async () => {
          const { wire: again, report } = await converter.convert({
            kind,
            from: to,
            to: from,
            wire: there.wire,
            issuer,
          })
          return { wire: again, report: [...there.report, ...report] }
        })
  const trips = fixture.facts.flatMap((fact) =>
    judgeFact(fixture, fact, back, {
      section: 'round trip',
      via: to,
      to: from,
      expectation: returning(fact, to, from, kind),
    }),
  )
  return [...direct, ...trips]
}

/** The response goes to a client of another protocol and returns in that client's next request. */
async function judgeEcho(converter: Converter, fixture: Fixture, client: ProtocolName): Promise<Check[]> {
  const { from } = fixture
  const asked: Fixture = { ...fixture, kind: 'request' }
  if (!converter.takes(asked, client, from)) return []
  const back = await attempt(async () => {
    const { wire, report } = await converter.convert({ ...fixture, to: client })
    const again = echo(client, fixture.kind === 'stream' ? fold(client, textOf(wire['text'])) : wire)
    const next = await converter.convert({ kind: 'request', from: client, to: from, wire: again })
    return { wire: next.wire, report: [...report, ...next.report] }
  })
  return fixture.facts.flatMap((fact) => {
    const look = lookOf(fact.in[from])
    const isLate = fact.late === true && fixture.kind === 'stream' && client === 'messages'
    const expectation = isLate && look !== undefined ? { perhaps: look } : fact.in[from]
    return judgeFact(asked, fact, back, { section: 'conversation', via: client, to: from, expectation })
  })
}

/** After the way back, a fact is in its original form if the other protocol could express it; otherwise it is kept or reported. */
function returning(fact: Fact, via: ProtocolName, home: ProtocolName, kind: Kind): Expectation {
  const expectation = fact.in[via]
  const look = fact.returned?.[via] ?? lookOf(fact.in[home])
  if (look === undefined || expectation === 'elsewhere') return 'elsewhere'
  const late = fact.late === true && kind === 'stream' && (via === 'chat' || (via === 'genai' && home === 'messages'))
  return typeof expectation === 'function' && !late ? look : { perhaps: look }
}

type Position = Pick<Check, 'section' | 'to'> & { readonly via?: ProtocolName; readonly expectation: Expectation }

function judgeFact(fixture: Fixture, fact: Fact, converted: Converted | string, position: Position): Check[] {
  const { expectation, ...where } = position
  if (expectation === 'elsewhere') return []
  const { area, from, name } = fixture
  const check = { area, from, name, fact: fact.name, ...where, expressible: typeof expectation === 'function' }
  // A refusal that names the fact counts as a report.
  if (typeof converted === 'string') {
    return [{ ...check, verdict: fact.pattern.test(converted) ? 'reported' : 'crashed', error: converted }]
  }
  const body = read(fixture, where.to, converted.wire)
  const found = lookOf(expectation)?.(body) ?? 'gone'
  const named = converted.report.some((line) => fact.pattern.test(line))
  return [{ ...check, verdict: verdictOf(expectation, found, named) }]
}

function verdictOf(expectation: Expectation, found: Found, named: boolean): Verdict {
  const nearly = typeof expectation === 'object' && 'nearly' in expectation
  if (found === 'kept' && !nearly) return 'kept'
  if (named) return 'reported'
  return found === 'wrong' ? 'wrong' : 'silent'
}

export function lookOf(expectation: Expectation): Look | undefined {
  if (typeof expectation === 'function') return expectation
  if (typeof expectation === 'string') return undefined
  return 'nearly' in expectation ? expectation.nearly : expectation.perhaps
}

/** A wire in the form that a look expects. */
export function read({ kind }: Fixture, protocol: ProtocolName, wire: JsonObject): JsonObject {
  const body = kind === 'stream' ? fold(protocol, textOf(wire['text'])) : wire
  return spell(protocol, kind, body)
}

async function attempt(convert: () => Converted | Promise<Converted>): Promise<Converted | string> {
  try {
    return await convert()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
