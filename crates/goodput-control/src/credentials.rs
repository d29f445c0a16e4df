//! Credentials of a process: a lab key or certificate files.

use crate::identity::{CertificateFiles, Identity, IdentityError, LocalRole};
use crate::lab_key::LabKey;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// Whoever has it is fully trusted.
    LabKey(LabKey),
    /// A fleet's certificates, read again for each identity.
    Certificates(CertificateFiles),
}

impl Credentials {
    /// The identity for this role; `common_name` is used under a lab key only.
    pub fn load_identity(&self, part: LocalRole, common_name: &str) -> Result<Identity, IdentityError> {
        match self {
            Credentials::LabKey(key) => Identity::new(key, common_name),
            Credentials::Certificates(files) => Identity::from_files(files, part),
        }
    }
}

impl From<LabKey> for Credentials {
    fn from(key: LabKey) -> Credentials {
        Credentials::LabKey(key)
    }
}
