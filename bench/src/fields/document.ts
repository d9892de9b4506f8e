import { dragoman } from '../fidelity/dragoman.ts'
import { PROTOCOLS, type Kind, type ProtocolName } from '../fidelity/fact.ts'
import { textOf, type JsonObject } from '../fidelity/json.ts'
import { spell } from '../fidelity/wire/spell.ts'
import { newEvents } from './events.ts'
import { newPlaces } from './places.ts'
import type { EventProbe, Probe, Probes } from './probe.ts'
import { chatEvents } from './probes/chat-events.ts'
import { chatProbes } from './probes/chat.ts'
import { genaiEvents } from './probes/genai-events.ts'
import { genaiProbes } from './probes/genai.ts'
import { messagesEvents } from './probes/messages-events.ts'
import { messagesProbes } from './probes/messages.ts'

const PROBES: { readonly [Name in ProtocolName]: Probes } = {
  chat: chatProbes,
  messages: messagesProbes,
  genai: genaiProbes,
}

const EVENTS: { readonly [Name in ProtocolName]: readonly EventProbe[] } = {
  chat: chatEvents,
  messages: messagesEvents,
  genai: genaiEvents,
}

const HEAD = `# What becomes of every field

Written by \`npm run bench -- fields\`, which runs the converters with and without each field and looks at the difference; \`npm test\`
says when it is out of date. Brackets hold the kind or role of an element of a list. Words in italics are the converters' own report:
what is dropped has no place there, what is changed is said in another way. The rest of the report tells what had to be added or
moved for it. A dash: nothing in the body differs, because it is so anyway or because it is said and done elsewhere (the path of a
call, the choice of a route, the handling of the answer). Upstreams that take more than their protocol says (cache marks in chat, names of files in genai) get more.
`

/** The whole of docs/fields.md. */
export async function writeFields(): Promise<string> {
  const chapters = await Promise.all(PROTOCOLS.map(writeChapter))
  return [HEAD, ...chapters].join('\n')
}

async function writeChapter(from: ProtocolName): Promise<string> {
  const { requests, answers } = PROBES[from]
  const others = PROTOCOLS.filter((protocol) => protocol !== from)
  const table = async (word: string, rows: readonly (readonly [string, (to: ProtocolName) => Promise<string>])[]) => {
    const lines = await Promise.all(
      rows.map(async ([name, cell]) => `| \`${name}\` | ${(await Promise.all(others.map(cell))).join(' | ')} |`),
    )
    return [`| ${word} of ${from} | ${others.join(' | ')} |`, '|---|---|---|', ...lines, ''].join('\n')
  }
  const cells = (kind: Kind) => (probe: Probe) =>
    [probe.field, (to: ProtocolName) => fieldCell(kind, from, to, probe.body, probe.base)] as const
  return [
    `## ${from}\n`,
    await table('request', requests.map(cells('request'))),
    await table('answer', answers.map(cells('response'))),
    await table(
      'stream',
      EVENTS[from].map((probe) => [probe.event, (to) => eventCell(from, to, probe.stream, probe.base)] as const),
    ),
  ].join('\n')
}

async function fieldCell(
  kind: Kind,
  from: ProtocolName,
  to: ProtocolName,
  body: JsonObject,
  base: JsonObject,
): Promise<string> {
  const there = await dragoman.convert({ kind, from, to, wire: body })
  const before = await dragoman.convert({ kind, from, to, wire: base })
  const places = newPlaces(spell(to, kind, there.wire), spell(to, kind, before.wire))
  return cellOf(places, newLosses(there.report, before.report))
}

async function eventCell(from: ProtocolName, to: ProtocolName, stream: string, base: string): Promise<string> {
  const there = await dragoman.convert({ kind: 'stream', from, to, wire: { text: stream } })
  const before = await dragoman.convert({ kind: 'stream', from, to, wire: { text: base } })
  const events = newEvents(to, textOf(there.wire['text']), textOf(before.wire['text']))
  return cellOf(events, newLosses(there.report, before.report))
}

function newLosses(report: readonly string[], before: readonly string[]): string[] {
  return report.filter((line) => !before.includes(line))
}

/** A report without the paths: they are of the language between the protocols, and the row says what it is about. */
function cellOf(places: readonly string[], losses: readonly string[]): string {
  const said = places.map((place) => `\`${place}\``)
  const told = losses.map((line) => line.replace(/^(\w+) \S*: ?/, '*$1*: ')).map((line) => line.replaceAll('|', '\\|'))
  const cells = [said.join(', '), [...new Set(told)].join('; ')].filter((cell) => cell !== '')
  return cells.length === 0 ? '–' : cells.join('; ')
}
