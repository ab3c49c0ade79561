export { type Options, parseOptions } from './cli/settings.ts'
export { OptionError } from './lib/errors.ts'
export { type RunningServer, type ServerDependencies, startServer } from './server.ts'
export { StoreOpenError } from './storage/store.ts'
