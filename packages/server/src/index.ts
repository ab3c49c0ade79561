export { OptionError, type Options, readOptions } from './options.ts'
export { type RunningServer, startServer, type World } from './server.ts'
export { StoreOpenError } from './store/store.ts'
