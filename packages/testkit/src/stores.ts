export { describeStore, describeStoredCalls, type StoreSuiteOptions } from './store/describe-store.ts'
export { describeUnstorable } from './store/describe-unstorable.ts'
export { START, type StoreSubject } from './store/subject.ts'
export {
  allUsage,
  auditEntry,
  batch,
  callOf,
  numbers,
  openCall,
  opening,
  openingOf,
  settlementOf,
  storedKey,
  TOTAL,
} from './store/values.ts'
