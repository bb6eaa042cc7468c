import manifest from '../package.json' with { type: 'json' }

const { '@node-rs/argon2': argon2, lightningcss, piscina, saxes } = manifest.dependencies

/** Libraries that stay dependencies of the package: native modules, and those that start files of their own or are loaded by name. */
export const installed = { '@node-rs/argon2': argon2, lightningcss, piscina, saxes }
