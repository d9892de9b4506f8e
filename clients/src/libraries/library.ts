import type { Client, LanguageName, Protocol } from '../client.ts'

/** A library with a driver, see ../../README.md. */
export interface Library {
  readonly name: string
  readonly title: string
  readonly language: LanguageName
  /** The driver's file name without its extension. */
  readonly driver: string
  /** The upstreams that it was run with. Without this, all. */
  readonly upstreams?: Client['upstreams']
  /** The protocols that it speaks. */
  readonly protocols: { readonly [protocol in Protocol]?: LibraryProtocol }
}

export interface LibraryProtocol extends Pick<Client, 'fault'> {
  readonly echoes: Client['echoes']
  /** The lines that connect it, for docs/clients.md. */
  readonly connect: string
}
