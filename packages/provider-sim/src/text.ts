import type { ToolOutput } from '@dragoman/core'
import { textOf, type Prompt } from './prompt.ts'

const LONGEST_QUOTE = 400

/** A friendly answer that shows what the simulator understood. */
export function answerText(model: string, prompt: Prompt): string {
  if (prompt.results.length > 0) return reportResults(prompt)
  const asked = prompt.text === '' ? 'You said nothing yet.' : `You asked: "${quote(prompt.text)}".`
  const seen =
    prompt.media === 0 ? '' : ` I also see ${prompt.media === 1 ? 'one attachment' : `${prompt.media} attachments`}.`
  const turn = prompt.turn > 1 ? ` This is turn ${prompt.turn} of our conversation.` : ''
  return `Hello from ${model}! ${asked}${seen}${turn} I am a simulator, so a real model would know more about it.`
}

export function refusalText(): string {
  return 'I would rather not answer that.'
}

/** Words of the prompt that are useful as arguments: names first, then the longest word. */
export function subjectsOf(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? []
  const names = words.slice(1).filter((word) => /^\p{Lu}\p{Ll}/u.test(word))
  if (names.length > 0) return [...new Set(names)]
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  return longest === '' ? ['example'] : [longest]
}

function reportResults({ results }: Prompt): string {
  const reports = results.map(({ name, result }) => {
    const output = quote(outputText(result.output))
    return result.failed === undefined ? `${name} says: ${output}` : `${name} failed: ${output}`
  })
  return `Here is what I found. ${reports.join(' ')}`
}

function outputText(output: ToolOutput): string {
  const text = textOf(output.parts ?? [])
  return 'json' in output ? `${JSON.stringify(output.json)}${text}` : text
}

function quote(text: string): string {
  const characters = Array.from(text)
  return characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE).join('')}...` : text
}
