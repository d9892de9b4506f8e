import { afterAll, beforeAll, describe } from 'vitest'
import { protocols } from '@dragoman/core/protocols'
import { describeAnswers } from './answers.ts'
import { describeCards } from './cards.ts'
import { describeConstruction } from './construction.ts'
import { describeKeys } from './keys.ts'
import { describeQuirks } from './quirks.ts'
import { describeRequests } from './requests.ts'
import { describeSecrets } from './secrets.ts'
import { createStage, SUITE_MODEL, type Stage } from './stage.ts'
import type { ProviderSubject } from './subject.ts'

/**
 * Tests that every provider must pass, over real sockets: between a gateway and a scripted upstream. Protocols that the
 * core does not have are left out.
 */
export function describeProvider(name: string, subject: ProviderSubject): void {
  const supported = Object.keys(subject.paths).filter((each) => protocols.some((protocol) => protocol.name === each))
  describe(`provider ${name}`, () => {
    describeConstruction(subject)
    describeCards(subject)
    describeKeys(subject, supported)
    describeQuirks(subject, supported)
    describe.each(supported)('in %s', (protocol) => {
      let stage: Stage
      const model = subject.model
      // Only this protocol is used, so that clients of the others are translated.
      const held = model === undefined ? {} : { overrides: { [model]: { protocols: [protocol] } } }
      beforeAll(async () => {
        const models = [{ name: SUITE_MODEL, upstream: 'suite-model-1', protocols: [protocol] }]
        stage = await createStage(subject, { models, ...held })
      })
      afterAll(() => stage.close())
      describeRequests(subject, protocol, () => stage)
      describeAnswers(subject, protocol, () => stage)
      describeSecrets(subject, protocol, () => stage)
    })
  })
}
