import { systemClock, type Clock, type Keys } from '@dragoman/gateway'
import { createWrongKeys, tooMany } from './wrong-keys.ts'

/** Keys without a store, such as those of `createMemoryKeys`: guesses are slowed down as those of stored keys are. */
export function guardKeys(keys: Keys, clock: Clock = systemClock): Keys {
  const wrong = createWrongKeys(clock)
  const isInUse = (secret: string): boolean => keys.isInUse?.(secret) === true
  return {
    isInUse,
    find: (secret, address) =>
      !isInUse(secret) && wrong.isFull(address) ? Promise.reject(tooMany()) : keys.find(secret, address),
    onWrong: (address, secrets) => wrong.onWrong(address, secrets),
  }
}
