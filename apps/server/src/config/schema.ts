import * as z from 'zod'
import { VARIABLES } from '../variables.ts'
import { KEY_SCOPES, LOG_LEVELS, MODEL_LISTS, ON_STORE_LOSS, STORES, UNSUPPORTED_FIELDS } from './choices.ts'
import { budgets, limits } from './key-schema.ts'
import { mediaFacts } from './media-facts.ts'
import { object, text } from './parts.ts'
import { breaker, policy, queue, routeOf } from './routing-schema.ts'

const NO_ALIAS = 'must be the name of a model, or an object with routes'
const NO_SIZE = 'must be a number of bytes, or one like "32 MB"'
const NO_ADMIN =
  'is not accepted any more: write explainAll: true for explanations of all models, or scopes: [inference, admin] for the admin API too'
const NO_SECRET =
  'must name a variable of the environment, as "${NAME}" or { env: NAME }: secrets are not written in this file'
const seconds = (byDefault: number, about: string) =>
  z
    .number()
    .positive()
    .max(86_400)
    .meta({ description: `${about} In seconds; ${byDefault} when absent.` })
const bytes = (byDefault: string, about: string) =>
  z
    .union([z.int().positive(), z.string().regex(/^[1-9]\d{0,6} ?([KMG]B)?$/, NO_SIZE)], NO_SIZE)
    .meta({ description: `${about} Bytes, or a text like "32 MB"; ${byDefault} when absent.` })
const count = (byDefault: number, about: string) =>
  z
    .int()
    .positive()
    .optional()
    .meta({ description: `${about} ${byDefault} when absent.` })

const days = (byDefault: number, about: string) =>
  z
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .meta({ description: `${about} In days; ${byDefault} when absent.` })

/** A secret is never in the file: the file names its variable. */
const secret = z
  .union(
    [
      z.string().regex(/^\$\{[A-Za-z_]\w*\}$/, NO_SECRET),
      object({ env: z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable') }),
    ],
    NO_SECRET,
  )
  .meta({ description: 'A variable of the environment: "${NAME}" or { env: NAME }.' })
  .transform((given) => (typeof given === 'string' ? given : `\${${given.env}}`))

const protocol = z.string().regex(/^[a-z][a-z0-9-]*$/)
const perProtocol = <Value extends z.ZodType>(value: Value) => z.record(protocol, value)
const modality = z.enum(['text', 'image', 'video', 'audio', 'file'])
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'must be a day, YYYY-MM-DD')
const price = object({
  value: z.number().nonnegative(),
  unit: z.enum(['perMTokens', 'perCount', 'perSecond', 'perMegapixel']),
  currency: z.literal('USD'),
  conditions: z.record(z.string(), z.json()).optional(),
})
const prices = z.record(z.string(), z.array(price))
const quirk = z.looseObject({
  verb: z.enum(['drop', 'clamp', 'default', 'require', 'exclude', 'replace', 'instruct', 'rename']),
})
const facts = {
  upstream: text.optional().meta({ description: 'What the upstream calls it, where that differs.' }),
  display: text.optional(),
  description: text.optional(),
  owner: text.optional(),
  line: text.optional(),
  released: day.optional(),
  retires: day.optional(),
  context: z.int().positive().optional().meta({ description: 'The size of its context, in tokens.' }),
  maxOutput: z.int().positive().optional().meta({ description: 'The longest answer, in tokens.' }),
  input: z.array(modality).optional(),
  output: z.array(modality).optional(),
  quality: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Its rank for routing by quality; higher is better.' }),
  reasoning: object({ min: z.int().nonnegative().optional(), max: z.int().positive().optional() })
    .optional()
    .meta({ description: 'It reasons; the range of its budget in tokens, where it has one.' }),
  ...mediaFacts,
  issuer: text.optional(),
  protocols: z
    .array(protocol)
    .optional()
    .meta({ description: "Which of the provider's protocols it is called in, best first; all of them when absent." }),
  dialects: perProtocol(z.record(z.string(), z.json())).optional(),
  extensions: perProtocol(z.record(z.string(), z.json())).optional(),
  urls: perProtocol(z.boolean())
    .optional()
    .meta({ description: 'Whether the upstream opens URLs of media; as the protocol says when absent.' }),
  quirks: perProtocol(z.array(quirk)).optional(),
  choosers: perProtocol(z.array(z.union([text, object({ at: text, begins: text })])))
    .optional()
    .meta({ description: 'Members of requests that can make the upstream use another model: paths on the wire.' }),
  prices: prices.optional(),
  documents: z
    .literal('image')
    .optional()
    .meta({ description: 'How the tokens of documents are billed; as text when absent.' }),
  searches: z
    .literal('once')
    .optional()
    .meta({ description: 'How searches are billed: once for an answer with any; each when absent.' }),
  otherPrices: prices.optional(),
  terms: z
    .array(
      object({
        when: z.record(z.string(), z.union([text, z.array(text)])),
        prices: prices.optional(),
        factor: z.number().nonnegative().optional(),
      }),
    )
    .optional()
    .meta({ description: 'Its prices under other terms than the standard ones, such as a service tier.' }),
  ceiling: prices
    .optional()
    .meta({ description: 'The most that items without a price can cost, for calls under a budget.' }),
  priceVersion: text.optional().meta({ description: 'The version of all its prices; a digest of them when absent.' }),
  sources: z
    .array(object({ facts: z.array(z.enum(['name', 'limits', 'prices'])), from: text, date: text }))
    .optional()
    .meta({ description: 'Who states these facts, and of which day that is.' }),
}

const provider = object({
  enabled: z.boolean().optional().meta({ description: 'false switches it off, whatever the environment holds.' }),
  key: secret.optional(),
  keys: z.array(secret).min(1).optional().meta({ description: 'Several keys, used in turn.' }),
  baseURL: text.optional(),
  headers: z.record(z.string(), z.string()).optional().meta({ description: 'Sent with every call to it.' }),
  models: z
    .array(z.union([text, object({ name: text, ...facts })]))
    .optional()
    .meta({
      description:
        'Models beyond the known ones: a name, or a card. A name with a star at its end stands for all unlisted models that begin so.',
    }),
  overrides: z
    .record(text, object(facts))
    .optional()
    .meta({ description: 'Facts about known models that are different here, by model name.' }),
  queue: queue
    .optional()
    .meta({ description: 'The calls that it gets at once, and those that wait; no limit when absent.' }),
  package: text.optional().meta({
    description:
      'A package that exports createProvider, installed beside this file, or a file: "./acme.js". It is run in the server.',
  }),
  options: z.record(text, z.json()).optional().meta({ description: 'For a package: options of its own.' }),
  like: text.optional().meta({ description: 'For a provider of your own: the known one that it behaves like.' }),
  endpoints: perProtocol(text).optional().meta({
    description:
      'For a provider of your own: where each protocol is spoken, best first; a URL, or a reference from the base URL. { chat: "." } when absent.',
  }),
  auth: object({ header: text, prefix: z.string().optional() })
    .optional()
    .meta({ description: "For a provider of your own: the header of its key; the protocol's usual one when absent." }),
  tokensPerSecond: z.number().positive().optional().meta({ description: 'For the simulator: how fast it answers.' }),
  videoSeconds: z
    .number()
    .nonnegative()
    .optional()
    .meta({ description: 'For the simulator: how long a video takes; 2 by default.' }),
}).refine(({ key, keys }) => key === undefined || keys === undefined, 'has both key and keys: one of them is enough')

const key = object({
  name: text.meta({ description: 'For logs and usage records.' }),
  secret: secret.optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be the SHA-256 digest of the key, as 64 hex digits')
    .optional()
    .meta({ description: 'The digest of the key instead of the key: printf %s "$KEY" | sha256sum' }),
  owner: text.optional().meta({ description: 'Whose key it is, for usage records.' }),
  models: z.array(text).optional().meta({ description: 'The only models that it may use; all of them when absent.' }),
  providers: z
    .array(text)
    .optional()
    .meta({ description: 'The only providers that it may use; all of them when absent.' }),
  limits: limits.optional(),
  budgets: budgets.optional(),
  routing: object(policy)
    .optional()
    .meta({ description: 'How its routes are chosen, unless an alias or a call says otherwise.' }),
  scopes: z
    .array(z.enum(KEY_SCOPES))
    .min(1)
    .optional()
    .meta({ description: 'What it may use: models, or the admin API; inference when absent.' }),
  explainAll: z
    .literal(true)
    .optional()
    .meta({ description: 'Explanations show it the routes of all models, beyond those that it may use.' }),
  admin: z.literal(true).optional().meta({ deprecated: true, description: NO_ADMIN }),
})
  .refine(
    ({ secret: plain, sha256 }) => (plain === undefined) !== (sha256 === undefined),
    'needs either a secret or a sha256 digest',
  )
  .refine(({ admin }) => admin === undefined, { path: ['admin'], error: NO_ADMIN })

/** Records and limits know a key by its name. A key that is replaced can have two entries for a while. */
function areAlike(keys: readonly z.infer<typeof key>[]): boolean {
  const termsOf = new Map<string, string>()
  return keys.every(({ name, owner, limits: most, budgets: amounts }) => {
    const terms = JSON.stringify([owner, most, amounts])
    const other = termsOf.get(name) ?? terms
    termsOf.set(name, terms)
    return other === terms
  })
}

/** The configuration file. */
export const configSchema = object({
  $schema: z.string().optional(),
  server: object({
    host: text
      .optional()
      .meta({ description: `The address to listen on; 127.0.0.1 when absent. ${VARIABLES.host} overrides it.` }),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .meta({ description: `0 takes any free one. ${VARIABLES.port} overrides it.` }),
    data: text.optional().meta({
      description: `The folder that keeps the local key and the sealing key. ${VARIABLES.data} overrides it.`,
    }),
    publicUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .optional()
      .meta({
        description: `The address of the gateway for its callers, for URLs in answers; the one that the caller has used when absent. ${VARIABLES.publicUrl} overrides it.`,
      }),
    sealingKeys: z
      .array(secret)
      .min(1)
      .optional()
      .meta({
        description: `Keys that seal the names of operations, at least 32 characters each: the first one seals, all of them open. A key in the data folder when absent. ${VARIABLES.sealingKeys} overrides them.`,
      }),
    cors: z
      .union([z.literal('*'), z.array(text)], { error: 'must be "*" or a list of origins' })
      .optional()
      .meta({ description: `Browser origins that may call, or "*". ${VARIABLES.cors} overrides it.` }),
    log: z
      .enum(LOG_LEVELS)
      .optional()
      .meta({ description: `${VARIABLES.log} overrides it.` }),
    metrics: object({
      host: text.optional().meta({ description: `127.0.0.1 when absent. ${VARIABLES.metricsHost} overrides it.` }),
      port: z
        .int()
        .min(0)
        .max(65_535)
        .meta({ description: `0 takes any free one. ${VARIABLES.metricsPort} overrides it.` }),
    })
      .optional()
      .meta({ description: 'Where Prometheus reads /metrics: a port of its own, without a key. Nowhere when absent.' }),
    trustedProxies: z
      .array(text)
      .optional()
      .meta({
        description: `Addresses and ranges of proxies whose x-forwarded-for names the caller: "10.0.0.0/8"; none when absent. ${VARIABLES.trustedProxies} overrides it.`,
      }),
    grace: z
      .int()
      .min(0)
      .max(3600)
      .optional()
      .meta({
        description: `Seconds for running answers to finish after a signal. ${VARIABLES.grace} overrides it.`,
      }),
    drain: z
      .int()
      .min(0)
      .max(3600)
      .optional()
      .meta({
        description: `Seconds after a signal in which calls are still accepted, while /readyz fails; 5 when absent, and 0 at a terminal. ${VARIABLES.drain} overrides it.`,
      }),
  }).optional(),
  providers: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/), z.union([z.boolean(), provider]))
    .optional()
    .meta({
      description:
        'By name: known ones, or any that speaks a protocol at a base URL. false switches one off. The simulator, sim, is there beside others only if it is listed.',
    }),
  aliases: z
    .record(text, z.union([text, object({ routes: z.array(routeOf(facts)).min(1), ...policy })], NO_ALIAS))
    .optional()
    .meta({
      description: 'Other names for models: each for one model, or for several routes and how they are chosen.',
    }),
  routing: object({
    retries: policy.retries,
    breaker: breaker.optional().meta({ description: 'When calls to an upstream that fails are stopped.' }),
  }).optional(),
  keys: z
    .array(key)
    .min(1)
    .refine(areAlike, 'has entries of the same name with other limits, budgets or owners: they count together')
    .optional()
    .meta({ description: `Keys of callers. ${VARIABLES.keys} overrides them.` }),
  accounts: object({
    store: z
      .union(
        [
          object({
            package: text.meta({
              description:
                'A package that exports openStore, installed beside this file, or a file: "./store.js". It is run in the server.',
            }),
            options: z.record(text, z.json()).optional().meta({ description: 'Options of the package.' }),
          }),
          z.enum(STORES),
        ],
        `must be one of ${STORES.join(', ')}, or an object with a package`,
      )
      .optional()
      .meta({
        description: `Where keys, budgets and usage are: a name, or a package; sqlite when absent, or postgres if its URL is given. ${VARIABLES.store} overrides it.`,
      }),
    file: text
      .optional()
      .meta({ description: 'Of SQLite; dragoman.db in the data folder when absent. A relative path begins there.' }),
    postgres: secret.optional().meta({
      description: `The URL of a PostgreSQL: "\${NAME}" or { env: NAME }. ${VARIABLES.databaseUrl} overrides it.`,
    }),
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be the name of a schema in lower case')
      .optional()
      .meta({ description: 'Of PostgreSQL; dragoman when absent.' }),
    redis: secret.optional().meta({
      description: `The URL of a Redis for limits, beside PostgreSQL: "\${NAME}" or { env: NAME }. ${VARIABLES.redisUrl} overrides it.`,
    }),
    onLoss: z.enum(ON_STORE_LOSS).optional().meta({
      description:
        'What happens to calls while the store cannot be reached: refuse them, or serve them and catch up; refuse when absent.',
    }),
    keep: object({
      records: days(90, 'Records of single calls.'),
      hours: days(800, 'Sums per hour.'),
      audit: days(800, 'What administrators have done.'),
    }).optional(),
  })
    .optional()
    .meta({ description: 'Keys that are managed while the server runs, their limits and budgets, and usage.' }),
  defaults: object({
    unsupportedFields: z
      .enum(UNSUPPORTED_FIELDS)
      .optional()
      .meta({
        description: `What becomes of request fields that the specification does not accept; accept when absent. ${VARIABLES.unsupportedFields} overrides it.`,
      }),
    modelLists: z
      .enum(MODEL_LISTS)
      .optional()
      .meta({
        description: `Whether model lists need a key: private ones do; public when absent. ${VARIABLES.modelLists} overrides it.`,
      }),
    keepAlive: seconds(10, 'The longest silence of a stream.').optional(),
  }).optional(),
  limits: object({
    body: bytes('32 MB', 'Of a request, after decompression.').optional(),
    part: bytes('25 MB', 'Of one file of a form.').optional(),
    bodies: bytes(
      '512 MB',
      'Of all requests and whole answers that are held at once; a request that finds no room waits.',
    ).optional(),
    inline: bytes('256 KB', 'Larger requests and answers are worked on by another thread.').optional(),
    answer: bytes('128 MB', "Of an upstream's whole answer.").optional(),
    counts: object({
      messages: count(100_000, 'Of the conversation.'),
      parts: count(200_000, 'Of all messages together, calls and results included.'),
      tools: count(10_000, 'Of the request.'),
      members: count(1_000_000, 'Of all JSON objects together.'),
      membersOfOne: count(20_000, 'Of one JSON object.'),
    }).optional(),
    headers: bytes('16 KB', 'Of all headers of a request together.').optional(),
    concurrency: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'Calls at a time, of all callers; 10000 when absent.' }),
    perKey: z.int().positive().optional().meta({ description: 'Calls at a time, of one key; 2000 when absent.' }),
    connections: z.int().positive().optional().meta({ description: 'Of clients, at a time; 10000 when absent.' }),
    time: object({
      body: seconds(60, 'For a request to arrive.').optional(),
      connect: seconds(10, 'To a connection with the upstream.').optional(),
      head: seconds(600, "To the first byte of the upstream's answer.").optional(),
      idle: seconds(300, "Between two pieces of the upstream's answer.").optional(),
      total: seconds(1800, "For the upstream's whole answer.").optional(),
      usage: z
        .number()
        .min(0)
        .max(3600)
        .optional()
        .meta({ description: 'To wait for usage after the caller has left. In seconds; 5 when absent.' }),
    }).optional(),
  }).optional(),
  downloads: object({
    enabled: z
      .boolean()
      .optional()
      .meta({
        description: `false downloads nothing: media by URL reaches only upstreams that open URLs themselves. ${VARIABLES.downloads} (on or off) overrides it.`,
      }),
    allow: z.array(text).optional().meta({
      description:
        'What may be reached although it is not public: addresses, ranges ("10.1.0.0/16"), hosts ("files.internal", "*.internal").',
    }),
    http: z
      .boolean()
      .optional()
      .meta({ description: 'Whether URLs of all hosts may begin with http; those of allow always may.' }),
    size: bytes('20 MB', 'Of one file.').optional(),
    count: count(64, 'Of files for one request. Together they may be as large as a request.'),
    time: seconds(30, 'For one file, with its redirects.').optional(),
  })
    .optional()
    .meta({ description: 'How media that requests and upstreams name by URL is downloaded.' }),
  catalogue: object({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .optional()
      .meta({ description: 'Where the signed file is downloaded from, by the guarded client.' }),
    file: text.optional().meta({ description: 'The signed file instead, from the folder of this file.' }),
    keys: z
      .array(text)
      .min(1)
      .max(16)
      .meta({ description: 'Public keys of its publisher, Ed25519 in base64: a signature by one of them is needed.' }),
    refresh: seconds(3600, 'Between two checks for a newer one.').optional(),
    size: bytes('4 MB', 'Of the file.').optional(),
    time: seconds(30, 'For one download, with its redirects.').optional(),
    allow: z
      .array(text)
      .optional()
      .meta({ description: 'Hosts of the URL that may be reached although they are not public, or by http.' }),
  })
    .refine(({ url, file }) => (url === undefined) !== (file === undefined), 'needs either a url or a file')
    .optional()
    .meta({ description: 'Facts and prices of models from a signed file; none when absent.' }),
  itemMemory: object({
    enabled: z
      .boolean()
      .optional()
      .meta({
        description: `false remembers nothing: a request must contain all items of its conversation. ${VARIABLES.itemMemory} (on or off) overrides it.`,
      }),
    size: bytes('64 MB', 'Of all items. The oldest are forgotten first.').optional(),
    time: seconds(900, 'For one item.').optional(),
  })
    .optional()
    .meta({
      description:
        'Items of Responses answers, which requests of the same key may name by id. They are only in the memory of the process, and never those of calls with store: false.',
    }),
  outbound: object({
    authorities: z
      .array(text)
      .optional()
      .meta({ description: 'PEM files of certificate authorities to trust too, from the folder of this file.' }),
  }).optional(),
})

export type Config = z.infer<typeof configSchema>
export type ProviderConfig = z.infer<typeof provider>
