import { describe, expect, it } from 'vitest'
import { createConfig } from './config.ts'

const here = { protocol: 'https:', hostname: 'app.example', port: '8443' }

describe('base and socket URL (§7)', () => {
  it('come from the location when nothing is configured', () => {
    expect(createConfig({}, here)).toEqual({
      baseUrl: 'https://app.example:8443',
      socketUrl: 'wss://app.example:8443/sockets',
      linkBase: '',
    })
  })

  it('take each part from the location that is not configured', () => {
    expect(createConfig({ scheme: 'http' }, here).baseUrl).toBe('http://app.example:8443')
    expect(createConfig({ host: 'gate.example' }, here).baseUrl).toBe('https://gate.example:8443')
    expect(createConfig({ port: 9000 }, here).baseUrl).toBe('https://app.example:9000')
    expect(createConfig({ port: '' }, here).baseUrl).toBe('https://app.example')
  })

  it('speak wss with https and ws with http', () => {
    expect(createConfig({ scheme: 'https:', host: 'g', port: 1 }, here).socketUrl).toBe('wss://g:1/sockets')
    expect(createConfig({ scheme: 'HTTP', host: '[::1]', port: 1 }, here).socketUrl).toBe('ws://[::1]:1/sockets')
  })

  it.each(['gate', '/gate', '/gate/', 'gate//'])('take the base path %s', basePath => {
    expect(createConfig({ basePath }, here)).toEqual({
      baseUrl: 'https://app.example:8443/gate',
      socketUrl: 'wss://app.example:8443/gate/sockets',
      linkBase: '/gate',
    })
  })

  it.each(['', '/', '//'])('take the base path "%s" for none', basePath => {
    expect(createConfig({ basePath }, here).baseUrl).toBe('https://app.example:8443')
  })

  it('link to another server by its full address', () => {
    expect(createConfig({ host: 'gate.example', basePath: '/in' }, here).linkBase).toBe('https://gate.example:8443/in')
  })

  it('are relative where there is no location, and links say the same as in the browser', () => {
    const rendered = createConfig({ basePath: '/in' }, undefined)
    expect(rendered).toEqual({ baseUrl: '/in', socketUrl: '/in/sockets', linkBase: '/in' })
    expect(rendered.linkBase).toBe(createConfig({ basePath: '/in' }, here).linkBase)
  })
})
