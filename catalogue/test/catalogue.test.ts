import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compareAll } from '../src/catalogue.ts'
import type { Files } from '../src/read-types.ts'

it('knows or lists everything that the installed SDKs name', () => {
  const { unknown, stale } = compareAll()
  expect({ unknown, stale }).toEqual({ unknown: [], stale: [] })
})

it('finds what an upgrade of an SDK adds: members, kinds, values, tools and models', () => {
  const { unknown } = compareAll(
    edited({
      'openai/resources/chat/completions/completions.d': [
        ['export interface ChatCompletionCreateParamsBase {', 'mood?: string;'],
        ['interface ChatCompletionUserMessageParam {', 'aside?: string;'],
      ],
      'openai/resources/shared.d': [['export type ChatModel = ', "'gpt-9-nova' | "]],
      'openai/resources/responses/responses.d': [
        ['export type ServiceTier = ', "'instant' | "],
        ['export type ResponseInputItem = ', "{ type: 'daydream' } | "],
      ],
      '@anthropic-ai/sdk/resources/messages/messages.d': [
        ['export type Model = ', "'claude-novella-6' | "],
        ['export type ToolUnion = ', "{ type: 'telescope_20270101'; name: 'telescope' } | "],
      ],
      '@google/genai/dist/node/node.d': [['export declare enum TrafficType {', "NIGHT = 'NIGHT',"]],
    }),
  )
  expect(unknown.map(({ subject, name }) => `${subject}: ${name}`).sort()).toEqual([
    'chat: body.mood',
    'chat: user.aside',
    'genai: usageMetadata.trafficType=NIGHT',
    'messages: tools=telescope',
    'models of anthropic: claude-novella-6',
    'models of openai: gpt-9-nova',
    'responses: body.service_tier=instant',
    'responses: input=daydream',
    'responses: response.service_tier=instant',
  ])
})

it('finds entries that are not missing any more', () => {
  const { stale } = compareAll(
    edited({
      '@anthropic-ai/sdk/resources/messages/messages.d': [["type: 'container_upload'", '', "type: 'text'"]],
      '@anthropic-ai/sdk/resources/beta/messages/messages.d': [
        ["type: 'container_upload'", '', "type: 'text'"],
        ['betas?: Array<', '', 'model_?: Array<'],
      ],
    }),
  )
  expect(stale).toContainEqual({ subject: 'messages', name: 'content=container_upload', where: [] })
  expect(stale).toContainEqual({ subject: 'messages', name: 'body.betas', where: [] })
})

type Edit = readonly [before: string, added: string, instead?: string]

/** The files of the SDKs with edits: what is added behind a text, or stands instead of it. Each must be found. */
function edited(edits: { readonly [file: string]: readonly Edit[] }): Files {
  return {
    readFile(name) {
      const found = Object.entries(edits).find(([file]) => name.includes(`/${file}.`) && /\.d\.m?ts$/.test(name))
      if (found === undefined) return undefined
      let text = readFileSync(name, 'utf8')
      for (const [before, added, instead = before] of found[1]) {
        if (!text.includes(before)) throw new Error(`${name} has no ${before}`)
        text = text.replaceAll(before, instead + added)
      }
      return text
    },
  }
}
