import type { Client, LanguageName, Protocol } from './client.ts'
import { INSTALL_DRIVER_OF } from './languages/drivers.ts'
import { PROTOCOLS } from './scenarios.ts'

/** A library with a driver, see README.md. */
interface Library {
  readonly name: string
  readonly title: string
  readonly language: LanguageName
  /** The driver's file name without its extension. */
  readonly driver: string
  /** The protocols that it speaks. */
  readonly protocols: { readonly [protocol in Protocol]?: LibraryProtocol }
}

interface LibraryProtocol {
  readonly echoes: Client['echoes']
  /** The lines that connect it, for docs/clients.md. */
  readonly connect: string
}

const LIBRARIES: readonly Library[] = []

/** The libraries of the suite, one client for each protocol. */
export const LIBRARY_CLIENTS: readonly Client[] = LIBRARIES.flatMap((library) =>
  PROTOCOLS.flatMap((protocol) => {
    const details = library.protocols[protocol]
    return details === undefined ? [] : [createLibraryClient(library, protocol, details)]
  }),
)

function createLibraryClient(library: Library, protocol: Protocol, details: LibraryProtocol): Client {
  const { name, title, language, driver } = library
  return {
    name: `${name}-${protocol}`,
    title: `${title}, ${protocol}`,
    language,
    kind: 'library',
    protocol,
    ...details,
    async install() {
      const { versions, program, args } = await INSTALL_DRIVER_OF[language](name, driver)
      return {
        versions,
        commands: ({ url, key, model, scenario, stream }) => [
          {
            program,
            args,
            env: {
              CLIENT_BASE_URL: url,
              CLIENT_KEY: key,
              CLIENT_MODEL: model,
              CLIENT_PROTOCOL: protocol,
              CLIENT_SCENARIO: scenario,
              CLIENT_STREAM: stream ? '1' : '0',
            },
          },
        ],
      }
    },
  }
}
