import { describeConfig, type LocalProject } from './composition/dev/describeConfig.ts'
import { type DevServer, type DevServerOptions, openDevServer } from './composition/dev/devServer.ts'
import type { LocalConfig } from './composition/dev/localConfig.ts'

export type { LocalProject } from './composition/dev/describeConfig.ts'
export { LocalProjectError } from './composition/dev/describeConfig.ts'
export type { DevServer, DevServerOptions, DevServerReport } from './composition/dev/devServer.ts'
export { type FollowedConfig, type FollowOptions, followConfig } from './composition/dev/followConfig.ts'
export type { LocalConfig } from './composition/dev/localConfig.ts'
export { applyOverrides, type LocalOverrides } from './composition/dev/overrides.ts'
export { OptionError } from './lib/errors.ts'
export { UpstreamError } from './lib/outbound/upstreamClient.ts'

/**
 * Starts a server for development on this computer (docs/guides/local-development.md): it evaluates with the config
 * that it is given, and accepts any SDK key.
 * @throws {OptionError} if the port is in use.
 */
export function startDevServer(options: DevServerOptions): Promise<DevServer> {
  return openDevServer(options)
}

/**
 * Builds the config of one environment of a project that is described by requests of the management API, with their
 * rules.
 * @throws {LocalProjectError} if a request would be refused.
 */
export function buildConfig(project: LocalProject): Promise<LocalConfig> {
  return describeConfig(project, SANDBOX_PROGRAM)
}

/** The built program; sources and the build have the same parent folder. */
const SANDBOX_PROGRAM = new URL('../dist/sandboxProgram.js', import.meta.url)
