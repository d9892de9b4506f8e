import { describe, expect, it } from 'vitest'
import { chat } from '../protocols/chat/index.ts'
import { messages } from '../protocols/messages/index.ts'
import { responses } from '../protocols/responses/index.ts'
import { refuseChoosers } from './choosers.ts'
import { BEARER } from './definition.ts'
import { defineProvider } from './provider.ts'

describe('members that choose a model', () => {
  it.each(['models', 'MODELS', 'Model', 'mod_el', 'fallbac\u212as', 'pluginſ', 'user-config'])(
    'are refused by their name, in any spelling: %s',
    (member) => {
      expect(() => refuseChoosers(chat, { [member]: 'other' })).toThrow(
        expect.objectContaining({ kind: 'permission', param: member, code: 'model_not_allowed' }),
      )
    },
  )

  it('are found in tools that are added in the middle of a conversation', () => {
    const definition = { type: 'advisor_20260301', name: 'advisor', model: 'other' }
    const content = [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }]
    const body = {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'user', content },
      ],
    }
    expect(() => refuseChoosers(messages, body)).toThrow('"messages.1.content.0.tool.definition.model"')
  })

  it.each([
    ['tools.0.model', { tools: [{ type: 'image_generation', model: 'other' }] }],
    ['tools.1.svg.model', { tools: [{ type: 'function' }, { type: 'image_generation', svg: { model: 'other' } }] }],
    ['input.1.tools.0.model', { input: [{}, { type: 'additional_tools', tools: [{ model: 'other' }] }] }],
    ['moderation.model', { moderation: { model: 'other' } }],
  ])('of responses are refused: %s', (path, body) => {
    expect(() => refuseChoosers(responses, body)).toThrow(
      expect.objectContaining({ kind: 'permission', param: path, code: 'model_not_allowed' }),
    )
  })

  it('of responses are not refused where nothing is chosen', () => {
    const tools = [{ type: 'image_generation', size: '1024x1024' }, { type: 'web_search' }]
    const body = { model: 'm', input: 'Hi', tools, moderation: null }
    const edits = refuseChoosers(responses, body, [], { model: '"m"' })
    expect(edits).toEqual({ tools: JSON.stringify(tools), moderation: null })
  })

  it('are removed if they are null, and examined members are sent as they were read', () => {
    const body = { model: 'm', models: null, tools: [{ name: 'a', model: null }], messages: [], top_p: 1 }
    expect(refuseChoosers(messages, body, ['models'], { model: '"m"' })).toEqual({
      models: null,
      tools: '[{"name":"a","model":null}]',
    })
  })

  it('are those that the provider lists', () => {
    expect(refuseChoosers(chat, { route: 'x' }, ['other'])).toEqual({})
    expect(() => refuseChoosers(chat, { Other: { any: 1 } }, ['other'])).toThrow('"Other"')
    const choosing = [{ at: 'tools.*.type', begins: 'acme:' }]
    expect(() => refuseChoosers(chat, { tools: [{ type: 'ACME:x' }] }, choosing)).toThrow('"tools.0.type"')
    expect(refuseChoosers(chat, { tools: [{ type: 'function' }] }, choosing)).toEqual({
      tools: '[{"type":"function"}]',
    })
  })

  it('are checked when a provider is defined, and are on its cards', () => {
    const define = (path: string) => () =>
      defineProvider(
        {
          name: 'acme',
          endpoints: { chat: 'https://acme.example' },
          auth: BEARER,
          choosers: { chat: [path] },
          models: [{ name: 'm', input: ['text'], output: ['text'], choosers: { chat: ['own'] } }],
        },
        { keys: 'sk-of-acme' },
      )
    for (const wrong of ['', '.', 'a..b', '*.a', 'a.b*', 'a b']) expect(define(wrong)).toThrow('choosers.chat.0')
    expect(define('tools.*.model')().models[0]?.choosers).toEqual({ chat: ['tools.*.model', 'own'] })
  })
})
