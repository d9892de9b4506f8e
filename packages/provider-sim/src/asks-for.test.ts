import { describe, expect, it } from 'vitest'
import { readToolRequest } from './asks-for.ts'

const AGENT = ['bash', 'write', 'Read', 'todo_write', 'get_weather', 'apply-patch', 'webFetch']
const named = (prompt: string): readonly string[] => readToolRequest(prompt, AGENT).named

describe('what a prompt asks for', () => {
  it.each([
    'Say hello.',
    'Write a haiku about the sea.',
    'Please write me a bash script that prints hello.',
    'Read this carefully, and run it by me again.',
    'Is get_weathering a word?',
    'Do not use bash.',
    "Don't call get_weather.",
    'Answer without using the write tool.',
    'Say both words in parallel.',
    'How do I use the screwdriver tool?',
  ])('is not a tool: %s', (prompt) => {
    const request = readToolRequest(prompt, AGENT)
    expect([request.named, request.any]).toEqual([[], false])
  })

  it.each([
    ['Use bash to list the files.', ['bash']],
    ['Call the tool write, please.', ['write']],
    ['Try the Read tool.', ['Read']],
    ['What does `bash` say?', ['bash']],
    ['What does get_weather say about Rome?', ['get_weather']],
    ['Ask get_weather and todo_write.', ['todo_write', 'get_weather']],
    ['Do not wait. Use apply-patch and webFetch.', ['apply-patch', 'webFetch']],
  ])('is a tool that it names: %s', (prompt, names) => {
    expect(named(prompt)).toEqual(names)
  })

  it.each(['Call a tool.', 'Use one of your tools.', 'Use both tools for Rome.', 'call some function'])(
    'is any tool: %s',
    (prompt) => {
      expect(readToolRequest(prompt, AGENT)).toMatchObject({ named: [], any: true })
    },
  )

  it('is not what an agent adds to it', () => {
    const reminder = '<system-reminder>Use the write tool, or get_weather.</system-reminder>'
    expect(named(`${reminder}\nSay hello.\n${reminder}`)).toEqual([])
    expect(named(`${reminder}Use bash.<system-reminder>`)).toEqual(['bash'])
  })

  it('is found in names with characters that patterns use', () => {
    expect(readToolRequest('Use a.b(c now', ['a.b(c', 'axb(c']).named).toEqual(['a.b(c'])
  })
})
