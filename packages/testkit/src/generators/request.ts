import type { Delivery, Message, OutputOptions, ReasoningOptions, ModelRequest, Settings, Tool } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { extras, jsonObject, number, word, writing } from './json.ts'
import { conversation } from './message.ts'
import { never, record } from './record.ts'
import { schema, toolChoice, tools } from './tool.ts'
import { FOREIGN, type World } from './world.ts'

export function request(world: World): Arbitrary<ModelRequest> {
  return record<ModelRequest>(
    {
      model: word().map((name) => `some/${name}`),
      messages: conversation(world),
      settings: settings(),
      delivery: delivery(),
    },
    {
      tools: tools(world),
      toolChoice: never,
      reasoning: reasoningOptions(),
      output: outputOptions(),
      safety: fc.array(jsonObject(0), { minLength: 1, maxLength: 2 }),
      cachedContent: fc.record({ issuer: fc.constantFrom(world.issuer, FOREIGN.issuer), name: word() }),
      user: fc.oneof(word(), fc.constantFrom('someone@example.com', 'x'.repeat(129))),
      metadata: fc.record({ team: word() }),
      serviceTier: fc.constantFrom('default', 'flex', 'priority', 'scale'),
      promptCacheKey: word(),
      promptCacheRetention: fc.constantFrom('in_memory', '24h'),
      promptCacheOptions: fc.record({ ttl: fc.constantFrom('30m', '12h') }),
      moderation: fc.record({ model: word() }),
      routing: never,
      extras: extras(world),
    },
  ).chain(withToolChoice)
}

/** Every tool name in a request, for the map of names. */
export function namesIn(request: Pick<ModelRequest, 'messages' | 'tools' | 'toolChoice'>): string[] {
  const spoken = request.messages.flatMap((message: Message) =>
    message.parts.flatMap((part) =>
      part.type === 'tool-call' || (part.type === 'tool-result' && part.name !== undefined) ? [part.name ?? ''] : [],
    ),
  )
  return [...(request.tools ?? []).flatMap(nameOf), ...spoken, ...(request.toolChoice?.names ?? [])]
}

function withToolChoice(request: ModelRequest): Arbitrary<ModelRequest> {
  if (request.tools === undefined) return fc.constant(request)
  const choice = toolChoice(request.tools.flatMap(nameOf))
  return fc
    .option(choice, { freq: 1 })
    .map((toolChoice) => (toolChoice === null ? request : { ...request, toolChoice }))
}

function nameOf(tool: Tool): string[] {
  return 'name' in tool ? [tool.name] : []
}

export function settings(): Arbitrary<Settings> {
  return record<Settings>(
    {},
    {
      maxTokens: fc.integer({ min: 1, max: 60_000 }),
      temperature: number(0, 2),
      topP: number(0, 1),
      topK: fc.nat({ max: 100 }),
      stop: fc.array(writing(), { minLength: 1, maxLength: 6 }),
      presencePenalty: number(-2, 2),
      frequencyPenalty: number(-2, 2),
      seed: fc.nat(),
      logitBias: fc.dictionary(fc.integer({ min: 10, max: 99_999 }).map(String), fc.integer({ min: -100, max: 100 }), {
        minKeys: 1,
        maxKeys: 2,
        noNullPrototype: true,
      }),
      logprobs: fc.nat({ max: 20 }),
      candidates: fc.integer({ min: 2, max: 3 }),
    },
  )
}

function delivery(): Arbitrary<Delivery> {
  return record<Delivery>(
    {},
    { stream: fc.boolean(), usage: fc.boolean(), hideReasoning: fc.boolean(), obfuscation: fc.boolean() },
  )
}

/** Reasoning options without contradictions: disabled reasoning has no other options. */
function reasoningOptions(): Arbitrary<ReasoningOptions> {
  return record<ReasoningOptions>(
    {},
    {
      on: fc.constantFrom(true, false, 'dynamic' as const, 'between-tools' as const),
      effort: fc.constantFrom('minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
      budget: fc.integer({ min: 1, max: 40_000 }),
      show: fc.boolean(),
    },
  )
    .map((options): ReasoningOptions => (options.on === false ? { on: false } : options))
    .filter((options) => Object.keys(options).length > 0)
}

/** A schema, its name and its description occur only with a JSON response format. */
function outputOptions(): Arbitrary<OutputOptions> {
  const options = record<OutputOptions>(
    {},
    {
      format: never,
      schema: never,
      name: never,
      description: never,
      strict: never,
      modalities: fc.constantFrom(['text'], ['text', 'image']),
      speech: jsonObject(0),
      image: jsonObject(0),
      verbosity: fc.constantFrom('low', 'medium', 'high'),
    },
  )
  const form = record<Required<Pick<OutputOptions, 'schema'>> & Pick<OutputOptions, 'name' | 'description' | 'strict'>>(
    { schema: schema() },
    { name: fc.oneof(word(), fc.constant('not a name!')), description: writing(), strict: fc.boolean() },
  )
  return fc
    .tuple(
      options,
      fc.oneof(
        fc.constant({}),
        fc.constantFrom({ format: 'text' as const }, { format: 'json' as const }, { format: 'enum' as const }),
        form.map((members) => ({ ...members, format: 'json' as const })),
      ),
    )
    .map(([members, format]): OutputOptions => ({ ...members, ...format }))
    .filter((members) => Object.keys(members).length > 0)
}
