/** A word of an earlier configuration that is no longer accepted. */
export interface NamedMistake {
  /** The line of the server, without the name of the file. */
  readonly mistake: string
  /** Why the word was changed: for readers of this list. */
  readonly because: string
  /** What to write instead: a text of the kept file, and its replacement. */
  readonly mend: readonly [string, string]
}

/** For each kept version, the mistakes that its configuration has today. All others of its words are still accepted. */
export const MISTAKES_OF: { readonly [version: string]: readonly NamedMistake[] } = {
  af1d7af0: [
    {
      mistake:
        'keys.1.admin is not accepted any more: write explainAll: true for explanations of all models, or scopes: [inference, admin] for the admin API too',
      because: 'It was described as a key that may explain all calls, and could create keys too.',
      mend: ['admin: true # may', 'explainAll: true # may'],
    },
  ],
}
