import type { Card } from '@dragoman/core/provider'
import { defineProvider } from '@dragoman/core/provider'
import { anthropic } from '@dragoman/provider-anthropic'
import { google } from '@dragoman/provider-google'
import { kling } from '@dragoman/provider-kling'
import { openai } from '@dragoman/provider-openai'
import { vendors } from '@dragoman/provider-openai-compatible'

/** The cards of every vendor's models, by `<provider>/<name>`, as a gateway has them. */
export const cards: ReadonlyMap<string, Card> = new Map(
  [anthropic, google, kling, openai, ...vendors].flatMap((definition) =>
    defineProvider(definition, { keys: 'access:secret' }).models.map(
      (card) => [`${definition.name}/${card.name}`, card] as const,
    ),
  ),
)
