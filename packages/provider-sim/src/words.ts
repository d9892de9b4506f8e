import type { ToolOutput } from '@dragoman/core'
import { textOf, type Ask } from './ask.ts'

const LONGEST_QUOTE = 400

/** A friendly answer that shows what was understood. */
export function answerWords(model: string, ask: Ask): string {
  if (ask.results.length > 0) return reportResults(ask)
  const asked = ask.text === '' ? 'You said nothing yet.' : `You asked: "${quote(ask.text)}".`
  const seen = ask.media === 0 ? '' : ` I also see ${ask.media === 1 ? 'one attachment' : `${ask.media} attachments`}.`
  const turn = ask.turn > 1 ? ` This is turn ${ask.turn} of our conversation.` : ''
  return `Hello from ${model}! ${asked}${seen}${turn} I am a simulator, so a real model would know more about it.`
}

export function refusalWords(): string {
  return 'I would rather not answer that.'
}

/** Words of the prompt that make good arguments: names first, then the longest word. */
export function subjectsOf(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? []
  const names = words.slice(1).filter((word) => /^\p{Lu}\p{Ll}/u.test(word))
  if (names.length > 0) return [...new Set(names)]
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  return longest === '' ? ['example'] : [longest]
}

function reportResults({ results }: Ask): string {
  const told = results.map(({ name, result }) => {
    const said = quote(outputText(result.output))
    return result.failed === undefined ? `${name} says: ${said}` : `${name} failed: ${said}`
  })
  return `Here is what I found. ${told.join(' ')}`
}

function outputText(output: ToolOutput): string {
  const text = textOf(output.parts ?? [])
  return 'json' in output ? `${JSON.stringify(output.json)}${text}` : text
}

function quote(text: string): string {
  const characters = Array.from(text)
  return characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE).join('')}...` : text
}
