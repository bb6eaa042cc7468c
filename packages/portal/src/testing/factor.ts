import type { Factor } from '@gatehouse/wire'

const factorUUID = '01234567-89ab-cdef-0123-456789abcdef'

/** A factor that is not verified yet. */
export const factor: Factor = {
  factorUUID,
  factorIdentity: 'u1',
  factorBinding: {
    tag: 'TOTPBinding',
    contents: {
      factorTOTPBindingFactorUUID: factorUUID,
      factorTOTPBindingSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      factorTOTPBindingAlg: 'SHA1',
      factorTOTPBindingURI: 'otpauth://totp/Gatehouse:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gatehouse',
    },
  },
  factorFriendlyName: 'Phone',
  factorStatus: 'Unverified',
  factorFactorType: 'TOTP',
  factorDateCreated: '2026-11-20T03:00:00Z',
}
