import { parseArgs, type ParseArgsConfig } from 'node:util'
import { CommandError } from './command.ts'

/** The options of a key, for `keys create` and `keys change`. `none` removes what they set. */
export const KEY_OPTIONS = {
  name: { type: 'string' },
  owner: { type: 'string' },
  label: { type: 'string', multiple: true },
  scope: { type: 'string', multiple: true },
  model: { type: 'string', multiple: true },
  provider: { type: 'string', multiple: true },
  requests: { type: 'string' },
  tokens: { type: 'string' },
  concurrent: { type: 'string' },
  budget: { type: 'string', multiple: true },
  expires: { type: 'string' },
  'keep-bodies': { type: 'string' },
  redact: { type: 'string', multiple: true },
} as const satisfies ParseArgsConfig['options']

export const KEY_USAGE = `--name NAME --owner OWNER --label team=blue --scope inference|admin --model 'sim/*' --provider sim
    --requests 60 --tokens 100000 --concurrent 5 (per minute, and at once) --budget day=5 --budget month=99.50 (dollars)
    --expires 30d|2027-01-01 --keep-bodies DAYS --redact EXPRESSION`

type Options<Config extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{ options: Config; allowPositionals: true; strict: true }>
>

/** Parses arguments, and refuses unknown ones with a message of one line. */
export function readArguments<const Config extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Config,
): Options<Config> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split(/\. |\n/) : ['The arguments are wrong']
    throw new CommandError(`${line.replace(/\.$/, '')}.`)
  }
}

type KeyValues = Options<typeof KEY_OPTIONS>['values']

/** The body of the admin call that would do the same: it is checked in the same way. */
export function keyBody(values: KeyValues, now: number): { readonly [member: string]: unknown } {
  const { name, owner, label, scope, model, provider, budget, expires, redact } = values
  const limits = defined({
    requestsPerMinute: count(values.requests),
    tokensPerMinute: count(values.tokens),
    concurrent: count(values.concurrent),
  })
  const days = values['keep-bodies']
  const bodies = days === undefined ? undefined : days === 'none' ? null : { days: Number(days), redact: redact ?? [] }
  if (redact !== undefined && days === undefined) throw new CommandError('--redact needs --keep-bodies.')
  return defined({
    name,
    owner: orNone(owner),
    labels: pairs(label, 'label'),
    scopes: scope,
    models: list(model),
    providers: list(provider),
    limits: Object.keys(limits).length === 0 ? undefined : limits,
    budgets: pairs(budget, 'budget'),
    bodies,
    expiresAt: expires === undefined ? undefined : expiry(expires, now),
  })
}

const MS_OF: { readonly [unit: string]: number } = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a text like `90s`, `15m`, `24h`, `30d`. */
export function durationOf(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * (MS_OF[unit] ?? 0)
}

function expiry(text: string, now: number): string | null {
  if (text === 'none') return null
  const duration = durationOf(text)
  const at = duration === undefined ? Date.parse(text) : now + duration
  if (Number.isNaN(at)) throw new CommandError(`--expires ${text} is neither a duration (30d, 12h) nor a date.`)
  return new Date(at).toISOString()
}

function pairs(
  texts: readonly string[] | undefined,
  option: string,
): { readonly [name: string]: string | null } | undefined {
  if (texts === undefined) return undefined
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw new CommandError(`--${option} ${text} must have the form name=value.`)
      return [text.slice(0, at), orNone(text.slice(at + 1))] as const
    }),
  )
}

function list(texts: readonly string[] | undefined): readonly string[] | null | undefined {
  return texts?.includes('none') === true ? null : texts
}

function orNone<T extends string | undefined>(text: T): T | null {
  return text === 'none' ? null : text
}

function count(text: string | undefined): number | null | undefined {
  return text === undefined ? undefined : text === 'none' ? null : Number(text)
}

function defined(members: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
