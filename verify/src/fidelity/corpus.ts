import { fixturesOf, PROTOCOLS, type Fixture, type Idea } from './fact.ts'
import { answers } from './ideas/answers.ts'
import { cache } from './ideas/cache.ts'
import { builtins } from './ideas/builtins.ts'
import { calls } from './ideas/calls.ts'
import { oddCalls } from './ideas/odd-calls.ts'
import { results } from './ideas/results.ts'
import { thoughts } from './ideas/thoughts.ts'
import { choices } from './ideas/choices.ts'
import { conversations } from './ideas/conversations.ts'
import { details } from './ideas/details.ts'
import { documents } from './ideas/documents.ts'
import { endings } from './ideas/endings.ts'
import { extras } from './ideas/extras.ts'
import { failures } from './ideas/failures.ts'
import { media } from './ideas/media.ts'
import { output } from './ideas/output.ts'
import { reasoning } from './ideas/reasoning.ts'
import { sampling } from './ideas/sampling.ts'
import { FORM } from './ideas/stream-form.ts'
import { streams } from './ideas/streams.ts'
import { tools } from './ideas/tools.ts'
import { instructions } from './ideas/instructions.ts'
import { earlierThoughts } from './ideas/earlier-thoughts.ts'
import { upstreamTools } from './ideas/upstream-tools.ts'
import { sources } from './ideas/sources.ts'
import { usageKinds } from './ideas/usage-kinds.ts'
import { turns } from './ideas/turns.ts'
import { usage } from './ideas/usage.ts'
import { unfold } from './wire/unfold.ts'

const REQUESTS: { readonly [area: string]: readonly Idea[] } = {
  turns: [...turns, ...instructions],
  media,
  documents,
  tools: [...tools, ...builtins],
  choices,
  calls: [...calls, ...results, ...oddCalls],
  reasoning: [...reasoning, ...earlierThoughts],
  sampling,
  output,
  cache,
  extras,
}
const RESPONSES: { readonly [area: string]: readonly Idea[] } = {
  answers: [...answers, ...thoughts, ...upstreamTools],
  endings,
  usage: [...usage, ...usageKinds],
  details: [...sources, ...details],
}

/** All ideas, in every protocol that can express them. */
export const CORPUS: readonly Fixture[] = [
  ...Object.entries(REQUESTS).flatMap(([area, ideas]) => fixturesOf('request', area, ideas)),
  ...Object.entries(RESPONSES).flatMap(([area, ideas]) => fixturesOf('response', area, ideas)),
  ...Object.entries(RESPONSES).flatMap(([area, ideas]) => streamed(area, ideas)),
  ...streams.flatMap(({ name, in: wires, facts }) =>
    PROTOCOLS.flatMap((from): Fixture[] => {
      const text = wires[from]
      return text === undefined ? [] : [{ area: 'streams', name, kind: 'stream', from, wire: { text }, facts }]
    }),
  ),
  ...fixturesOf('error', 'failures', failures),
  ...[...fixturesOf('response', 'conversations', conversations), ...unfolded('conversations', conversations)].map(
    (fixture): Fixture => ({ ...fixture, echoed: true }),
  ),
]

/** The same responses as streams, whose form is checked too. */
function streamed(area: string, ideas: readonly Idea[]): Fixture[] {
  return unfolded(
    area,
    ideas.filter(({ whole }) => whole === undefined).map((idea) => ({ ...idea, facts: [...idea.facts, FORM] })),
  )
}

function unfolded(area: string, ideas: readonly Idea[]): Fixture[] {
  return fixturesOf('stream', area, ideas).map((fixture) => ({
    ...fixture,
    wire: { text: unfold(fixture.from, fixture.wire) },
  }))
}
