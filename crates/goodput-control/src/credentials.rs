//! What a process shows to others, as it was configured: a lab key, or certificates in files.

use crate::identity::{CertificateFiles, Identity, IdentityError, Part};
use crate::key::LabKey;

/// A lab key or certificates. Nothing secret is printed of either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// The lab key: whoever has it is trusted with everything.
    LabKey(LabKey),
    /// Certificates of a fleet, read anew for each identity.
    Certificates(CertificateFiles),
}

impl Credentials {
    /// The identity of a process that plays this part; `common_name` is used under a lab key only, a certificate that
    /// was brought has its own.
    ///
    /// # Errors
    /// [`IdentityError`]: which file, and what is wrong with it.
    pub fn identity(&self, part: Part, common_name: &str) -> Result<Identity, IdentityError> {
        match self {
            Credentials::LabKey(key) => Identity::new(key, common_name),
            Credentials::Certificates(files) => Identity::brought(files, part),
        }
    }
}

impl From<LabKey> for Credentials {
    fn from(key: LabKey) -> Credentials {
        Credentials::LabKey(key)
    }
}
