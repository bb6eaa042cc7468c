import manifest from '../package.json' with { type: 'json' }

const { '@node-rs/argon2': argon2, lightningcss, piscina, saxes } = manifest.dependencies

/** Libraries that the bundle leaves out: native modules, and libraries that start their own worker files or are loaded by name. */
export const installed = { '@node-rs/argon2': argon2, lightningcss, piscina, saxes }
