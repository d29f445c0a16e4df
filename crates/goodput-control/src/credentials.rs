//! Credentials of a process: a lab key or certificate files.

use crate::ControlError;
use crate::address::wildcard_address;
use crate::identity::{CertificateFiles, Identity, IdentityError, LocalRole};
use crate::lab_key::LabKey;
use std::net::{IpAddr, Ipv4Addr};

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

    /// Where to listen: at the wanted address, else everywhere. Without credentials on loopback only, else
    /// fails with [`ControlError::KeyNeeded`].
    pub(crate) fn listening_address(
        credentials: Option<&Credentials>,
        wanted: Option<IpAddr>,
    ) -> Result<IpAddr, ControlError> {
        match (wanted, credentials) {
            (Some(address), None) if !address.is_loopback() => Err(ControlError::KeyNeeded { address }),
            (Some(address), _) => Ok(address),
            (None, None) => Ok(Ipv4Addr::LOCALHOST.into()),
            (None, Some(_)) => Ok(wildcard_address()),
        }
    }
}

impl From<LabKey> for Credentials {
    fn from(key: LabKey) -> Credentials {
        Credentials::LabKey(key)
    }
}
