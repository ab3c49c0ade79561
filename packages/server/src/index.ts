export { type Options, parseOptions } from './cli/kit/options.ts'
export { OptionError } from './lib/optionError.ts'
export { type RunningServer, type ServerDependencies, startServer } from './server.ts'
export { StoreOpenError } from './storage/store.ts'
