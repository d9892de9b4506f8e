export { describeStore, describeStoredCalls } from './store/describe-store.ts'
export { describeUnstorable } from './store/describe-unstorable.ts'
export type { ManualClock, StoreSubject } from './store/subject.ts'
